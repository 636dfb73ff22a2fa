extension TableCollector {
  /// The type of a column, as it is declared.
  ///
  /// Texts of days and times are declared with `TEXT` in their type, so that SQLite leaves them as they are.
  public enum ColumnType: String, Hashable, Sendable, CaseIterable {
    case integer = "INTEGER", real = "REAL", text = "TEXT"
    /// 0 and 1.
    case boolean = "BOOLEAN"
    /// Texts as ISO 8601 has them: `2026-11-22`.
    case date = "DATE TEXT"
    /// Texts as ISO 8601 has them: `2026-11-22T17:30`.
    case dateTime = "DATETIME TEXT"
    /// Each value is a text in JSON: an object or array, or whatever else stands beside such in the column.
    case json = "JSON TEXT"
  }
}

extension TableCollector {
  /// What values of a column there are, gathered one by one.
  ///
  /// Values are texts, of which ``TableCollector/TextKind`` says what they look like, or have types already. Texts that do not agree make
  /// a column of texts, since that keeps each as it is. Values that do not agree make a column without a declared type,
  /// since SQLite then keeps each as it is, or one of JSON.
  ///
  /// ```swift
  /// var kinds = TableCollector.ColumnKinds()
  /// kinds.formUnion(TableCollector.ColumnKinds(TableCollector.TextKind("17".utf8.span)))
  /// kinds.type  // .integer
  /// ```
  @_spi(Formats) public struct ColumnKinds: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let integer = ColumnKinds(rawValue: 1)
    /// An integer that no `Double` is.
    public static let longInteger = ColumnKinds(rawValue: 2)
    public static let real = ColumnKinds(rawValue: 4)
    public static let boolean = ColumnKinds(rawValue: 8)
    public static let date = ColumnKinds(rawValue: 16)
    public static let dateTime = ColumnKinds(rawValue: 32)
    /// A text that looks like nothing else.
    public static let text = ColumnKinds(rawValue: 64)
    /// A value that is a text, whatever it looks like.
    public static let textValue = ColumnKinds(rawValue: 128)
    /// A number that no type holds.
    public static let longNumber = ColumnKinds(rawValue: 256)
    /// An object or array.
    public static let container = ColumnKinds(rawValue: 512)
    /// Values that have types: what looks like a number is one.
    public static let typed = ColumnKinds(rawValue: 1_024)

    /// What a text looks like.
    public init(_ kind: TextKind) {
      switch kind {
      case .integer(let value): self = ColumnKinds(integer: value)
      case .real: self = .real
      case .boolean: self = .boolean
      case .date: self = .date
      case .dateTime: self = .dateTime
      case .text: self = .text
      }
    }

    /// An integer, which may be one that no `Double` is.
    init(integer value: Int64) {
      let isShort = value.magnitude <= 1 << 53 || Int64(exactly: Double(value)) == value
      self = isShort ? .integer : .longInteger
    }

    /// The type to declare; `nil` for none, where values do not agree.
    ///
    /// A column of integers and other numbers is real if every integer is one that a `Double` is. One without values is
    /// text if its texts could have been anything, and has no type otherwise.
    public var type: ColumnType? {
      let isTyped = contains(.typed)
      var kinds = subtracting(.typed)
      if kinds.contains(.longInteger), kinds.isSubset(of: [.integer, .longInteger]) {
        kinds = .integer
      }
      switch kinds {
      case []: return isTyped ? nil : .text
      case .integer: return .integer
      case .real, [.real, .integer]: return .real
      case .boolean: return .boolean
      case .date: return .date
      case .dateTime, [.date, .dateTime]: return .dateTime
      case .text, .textValue: return .text
      default:
        if !isTyped { return .text }
        return kinds.isDisjoint(with: [.boolean, .longNumber, .container]) ? nil : .json
      }
    }
  }
}
