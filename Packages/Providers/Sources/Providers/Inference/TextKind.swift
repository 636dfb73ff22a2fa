internal import Primitives
internal import SQLiteCore

extension TableCollector {
  /// What a text looks like, so that a column of such texts can have a type and still be written as it was.
  @_spi(Formats) public enum TextKind: Hashable, Sendable {
    /// An integer of 64 bits, as SQL writes it: `-12`. Neither `007` nor `+7`, `1,000` or `0x7`, nor `-0`.
    case integer(Int64)
    /// Digits with a fraction that a `Double` says without rounding: `-1.50`. Neither `.5` nor `5.` or `1e5`,
    /// nor `-0.0`.
    case real
    /// `true` or `false`, in any case.
    case boolean(Bool)
    /// A day that there is, as ISO 8601 writes it: `2026-11-22`.
    case date
    /// A day and a time of it: `2026-11-22T17:30`, with `T` or a space, perhaps with seconds, a fraction of them, and `Z` or
    /// a distance from it like `+01:00`.
    case dateTime
    /// Anything else.
    case text

    public init(_ text: Span<UInt8>) {
      self = .text
      guard let first = text.count > 0 ? text[0] : nil else { return }
      switch first {
      case 0x2D, 0x30...0x39:
        if first != 0x2D, text.count >= 10, text[4] == 0x2D {
          if let kind = Self.day(text) { self = kind }
        } else if let kind = Self.number(text) {
          self = kind
        }
      // The letters of "true" and "false".
      case 0x54, 0x74:
        if text.count == 4, Self.lowercaseWord(text, 4) == 0x7472_7565 { self = .boolean(true) }
      case 0x46, 0x66:
        if text.count == 5, Self.lowercaseWord(text, 5) == 0x66_616C_7365 { self = .boolean(false) }
      default: break
      }
    }

    /// The letters of a text as one number, the first one highest.
    private static func lowercaseWord(_ text: Span<UInt8>, _ count: Int) -> UInt64 {
      var word: UInt64 = 0
      for index in 0..<count { word = word << 8 | UInt64(text[index] | 0x20) }
      return word
    }

    // MARK: Numbers

    private static func number(_ text: Span<UInt8>) -> TextKind? {
      let first = text[0] == 0x2D ? 1 : 0
      var at = first
      var digits: UInt64 = 0
      while at < text.count, text[at] &- 0x30 < 10 {
        digits = digits &* 10 &+ UInt64(text[at] &- 0x30)
        at &+= 1
      }
      let whole = at &- first
      guard whole > 0, whole == 1 || text[first] != 0x30 else { return nil }
      if at == text.count {
        if whole > 18 { return Int64.exactly(text, 0..<at).map { .integer($0) } }
        if first == 1 { return digits == 0 ? nil : .integer(0 &- Int64(digits)) }
        return .integer(Int64(digits))
      }
      guard text[at] == 0x2E else { return nil }
      let point = at
      var isZero = digits == 0
      at &+= 1
      while at < text.count, text[at] &- 0x30 < 10 {
        if text[at] != 0x30 { isZero = false }
        at &+= 1
      }
      // SQLite does not keep the sign of zero.
      guard at == text.count, at > point + 1, first == 0 || !isZero else { return nil }
      // Numbers of up to fifteen digits all differ as a Double.
      if at &- first <= 16 { return .real }
      return ExactNumber(text, 0..<at)?.double == nil ? nil : .real
    }

    // MARK: Days and times

    private static func day(_ text: Span<UInt8>) -> TextKind? {
      guard let year = digits(text, 0, 4), let month = digits(text, 5, 2), text[7] == 0x2D,
        let day = digits(text, 8, 2), 1...12 ~= month, day >= 1,
        day <= CivilDate.dayCount(ofMonth: month, year: year)
      else { return nil }
      if text.count == 10 { return .date }
      guard text[10] == 0x54 || text[10] == 0x20 else { return nil }
      return isTime(text, 11) ? .dateTime : nil
    }

    private static func isTime(_ text: Span<UInt8>, _ start: Int) -> Bool {
      guard var at = hours(text, start) else { return false }
      if at < text.count, text[at] == 0x3A {
        guard let seconds = digits(text, at + 1, 2), seconds < 61 else { return false }
        at += 3
        if at < text.count, text[at] == 0x2E {
          at += 1
          let first = at
          while at < text.count, text[at] &- 0x30 < 10 { at += 1 }
          guard at > first else { return false }
        }
      }
      if at == text.count { return true }
      if text[at] == 0x5A { return at + 1 == text.count }
      guard text[at] == 0x2B || text[at] == 0x2D else { return false }
      return hours(text, at + 1) == text.count
    }

    /// Reads `17:30`.
    ///
    /// - Returns: What stands behind it.
    private static func hours(_ text: Span<UInt8>, _ start: Int) -> Int? {
      guard let hours = digits(text, start, 2), start + 2 < text.count, text[start + 2] == 0x3A,
        let minutes = digits(text, start + 3, 2), hours < 24, minutes < 60
      else { return nil }
      return start + 5
    }

    private static func digits(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int? {
      guard start + count <= text.count else { return nil }
      var value = 0
      for index in start..<start + count {
        guard text[index] &- 0x30 < 10 else { return nil }
        value = value * 10 + Int(text[index] - 0x30)
      }
      return value
    }
  }
}

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

extension TableCollector {
  /// Names for columns, of what a file calls them.
  @_spi(Formats) public enum ColumnNames {
    /// Names that can stand in one table, in the same order.
    ///
    /// - White space and control characters around a name are dropped, and those within it become one space.
    /// - A name that is empty then becomes `column3`, after its place.
    /// - A name that was there already, as SQLite sees it, which is without regard to the case of ASCII letters, gets the
    ///   first of `_2`, `_3` and so on that makes it new. A name that the file has keeps it.
    public static func unique(_ names: [String]) -> [String] {
      let cleaned = names.map(cleaned)
      // The first one of each name has it.
      var taken: Set<FoldedName> = []
      let isFirst = cleaned.map { !$0.isEmpty && taken.insert(FoldedName($0)).inserted }
      return cleaned.enumerated().map { index, name in
        if isFirst[index] { return name }
        let base = name.isEmpty ? "column\(index + 1)" : name
        if name.isEmpty, taken.insert(FoldedName(base)).inserted { return base }
        var number = 2
        while !taken.insert(FoldedName("\(base)_\(number)")).inserted { number += 1 }
        return "\(base)_\(number)"
      }
    }

    private static func cleaned(_ name: String) -> String {
      let words = name.unicodeScalars.split { scalar in
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
          || scalar.value == 0xFEFF
      }
      return words.map { String($0) }.joined(separator: " ")
    }
  }
}
