internal import Primitives

/// Bytes of a text in SPON that is being written.
struct Output {
  var buffer = ByteBuffer()
  let version: SPONValue.Version
  /// Whether something was written that only version 2 has.
  private(set) var needsLevel2 = false
  /// Whether something was written that version 1 does not have, though it was asked for. The first
  /// such thing, in words.
  private(set) var refusal: String?

  /// Whether brackets in texts are escaped where they are not balanced.
  let balancesBrackets: Bool

  init(version: SPONValue.Version, balancesBrackets: Bool = false) {
    self.version = version
    self.balancesBrackets = balancesBrackets
  }

  /// Whether scalars may be written as version 2 has them.
  var mayUseLevel2: Bool { version != .one }

  var count: Int { buffer.count }

  /// Whether what was written is a value that is neither an object nor an array.
  var isSingleValue: Bool { buffer.first != Byte.at }

  /// What was written.
  var bytes: [UInt8] { buffer.bytes }

  /// What was written; nothing is left.
  mutating func takeBytes() -> [UInt8] { buffer.takeBytes() }

  @inline(__always)
  mutating func append(_ byte: UInt8) { buffer.append(byte) }
  @inline(__always)
  mutating func append(_ first: UInt8, _ second: UInt8) { buffer.append(first, second) }
  mutating func append(_ text: [UInt8]) { buffer.append(text.elementSpan) }
  @inline(__always)
  mutating func append(_ text: Span<UInt8>) { buffer.append(text) }
  mutating func append(_ text: String) { buffer.append(text) }

  /// Notes that what follows is of version 2.
  mutating func require2(_ what: @autoclosure () -> String) {
    needsLevel2 = true
    if version == .one, refusal == nil { refusal = what() }
  }

  /// How much was written.
  struct Savepoint {
    fileprivate let count: Int
    fileprivate let needsLevel2: Bool
    fileprivate let isRefused: Bool
  }

  var savepoint: Savepoint {
    Savepoint(count: count, needsLevel2: needsLevel2, isRefused: refusal != nil)
  }

  /// Takes back what was written since.
  mutating func undo(to savepoint: Savepoint) {
    buffer.truncate(to: savepoint.count)
    needsLevel2 = savepoint.needsLevel2
    if !savepoint.isRefused { refusal = nil }
  }

  /// Appends what another output holds.
  mutating func add(_ other: Output) {
    join(other)
    append(other.bytes)
  }

  /// Notes that what another output holds, which is joined to this one, was of version 2.
  mutating func join(_ other: Output) {
    needsLevel2 = needsLevel2 || other.needsLevel2
    refusal = refusal ?? other.refusal
  }
}
