/// The words before `JOIN`, added up.
struct JoinWords: OptionSet {
  let rawValue: UInt8

  static let natural = JoinWords(rawValue: 1)
  static let left = JoinWords(rawValue: 2)
  static let right = JoinWords(rawValue: 4)
  static let full: JoinWords = [left, right]
  static let inner = JoinWords(rawValue: 8)
  static let cross = JoinWords(rawValue: 16)
  static let outer = JoinWords(rawValue: 32)
  /// A word that is none of these, a quoted one among them.
  static let unknown = JoinWords(rawValue: 64)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ kind: TokenKind) {
    switch kind {
    case .natural: self = .natural
    case .left: self = .left
    case .right: self = .right
    case .full: self = .full
    case .inner: self = .inner
    case .cross: self = .cross
    case .outer: self = .outer
    default: self = .unknown
    }
  }

  /// The join that the words make; `nil` where they make none.
  var joinKind: Join.Kind? {
    let isOuter = !isDisjoint(with: [.left, .right, .outer])
    let isInner = !isDisjoint(with: [.inner, .cross])
    if contains(.unknown) || isInner && isOuter { return nil }
    if isSuperset(of: .full) { return .full }
    if contains(.left) { return .left }
    if contains(.right) { return .right }
    if isOuter { return nil }
    if contains(.cross) { return .cross }
    return contains(.inner) ? .inner : .plain
  }
}
