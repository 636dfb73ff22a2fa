/// How far a token was read in vain, since the bytes ended in it, so that what comes next is not
/// searched from its beginning again. Places count from ``Scanner/position``.
struct PartialToken {
  enum Stage: UInt8 {
    /// In the only part of an element, or in the key of a pair.
    case first
    case afterKey, afterEquals, value
  }

  var isUsed = false
  var stage = Stage.first
  /// Up to where the part that the bytes end in has no end; 0 where that was not looked for.
  var searched = 0
  /// What was found there.
  var seen = SeenBytes()
  /// Where the content of a bare element ends, if no more than white space follows.
  var content = 0
  /// The bytes of the key, with its designator, once all of it was there.
  var keyLength = 0
  var keySeen = SeenBytes()
  /// Where to go on behind the key: in white space, or at the value.
  var value = 0
  /// In a text without quotes, up to where what may be the next pair was looked at.
  var ahead = 0
  /// The bytes of the root's head, and where its first pair begins.
  var head = 0
  var first = 0

  @inline(__always)
  mutating func reset() {
    if isUsed { self = PartialToken() }
  }
}

extension Scanner {
  /// Where to go on to search for the end of the part that begins at `start`.
  @inline(__always)
  func resumed(from start: Int) -> (at: Int, seen: SeenBytes) {
    guard partial.searched > 0 else { return (start, SeenBytes()) }
    return (position + partial.searched, partial.seen)
  }

  /// Notes that a part of a token has no end before `at`.
  mutating func suspend(_ at: Int, _ seen: SeenBytes) {
    partial.isUsed = true
    partial.searched = at - position
    partial.seen = seen
  }

  /// Notes the key of a pair that the bytes end in, and where to go on.
  mutating func suspend(_ stage: PartialToken.Stage, _ pair: Token, _ seen: SeenBytes, _ at: Int) {
    partial.isUsed = true
    partial.stage = stage
    partial.keyLength = pair.keyLength
    partial.keySeen = seen
    partial.value = at - position
  }
}
