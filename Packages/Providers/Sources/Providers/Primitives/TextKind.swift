internal import Primitives
internal import SQLiteCore

extension TableCollector {
  /// The type that a string looks like.
  ///
  /// Numbers have any spelling: `-12`, `+3`, `1.50`, `.5`, `5.`, `1e-05`. These are not numbers:
  ///
  /// - codes: a whole part of several digits that begins with a zero, such as `007` or `00.5`, and
  ///   `+` with seven or more digits and nothing else, a phone number
  /// - other notations: `1,000`, `0x7`, `NaN`, exponents of more than four digits, and numbers with
  ///   spaces
  @_spi(Formats) public enum TextKind: Hashable, Sendable {
    /// A 64-bit integer.
    case integer(Int64)
    /// A number with a decimal point or an exponent that `Double` represents without rounding.
    case real
    /// A number that is neither: an integer beyond 64 bits, or a number with more digits than
    /// `Double` distinguishes.
    case decimal
    /// `true` or `false`, in any capitalization.
    case boolean(Bool)
    /// A valid date in ISO 8601 notation: `2026-11-22`.
    case date
    /// A date and time: `2026-11-22T17:30`, with `T` or a space, optionally with seconds,
    /// fractional seconds, and `Z` or an offset such as `+01:00`.
    case dateTime
    /// Any other text.
    case text

    public init(_ text: Span<UInt8>) {
      self = .text
      guard let first = text.count > 0 ? text[0] : nil else { return }
      switch first {
      case 0x2B, 0x2D, 0x2E, 0x30...0x39:
        if first >= 0x30, text.count >= 10, text[4] == 0x2D {
          if let kind = Self.day(text) { self = kind }
        } else if let kind = Self.number(text) {
          self = kind
        }
      // The first letters of "true" and "false".
      case 0x54, 0x74:
        if text.count == 4, Self.lowercaseWord(text, 4) == 0x7472_7565 { self = .boolean(true) }
      case 0x46, 0x66:
        if text.count == 5, Self.lowercaseWord(text, 5) == 0x66_616C_7365 { self = .boolean(false) }
      default: break
      }
    }

    /// Returns the lowercased ASCII letters of a string as one number, the first letter in the
    /// highest byte.
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
      guard whole > 0 else { return unusualNumber(text) }
      if whole > 1, text[first] == 0x30 { return nil }
      if at == text.count {
        if whole > 18 {
          return Int64.exactly(text, 0..<at).map { TextKind.integer($0) } ?? .decimal
        }
        return .integer(first == 1 ? 0 &- Int64(digits) : Int64(digits))
      }
      guard text[at] == 0x2E else { return unusualNumber(text) }
      let point = at
      at &+= 1
      while at < text.count, text[at] &- 0x30 < 10 { at &+= 1 }
      guard at == text.count, at > point &+ 1 else { return unusualNumber(text) }
      // All numbers of up to fifteen digits are distinct as Double.
      if at &- first <= 16 { return .real }
      return ExactNumber(text, 0..<at)?.double == nil ? .decimal : .real
    }

    /// Returns the kind of a number with a plus sign or an exponent, or without a digit before or
    /// after the decimal point.
    @inline(never)
    private static func unusualNumber(_ text: Span<UInt8>) -> TextKind? {
      guard let number = NumberText(text), !number.isCode(text) else { return nil }
      if number.isInteger {
        return Int64.exactly(text, number.whole).map { TextKind.integer($0) } ?? .decimal
      }
      return number.double(text) == nil ? .decimal : .real
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
    /// - Returns: The offset after the time.
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
  /// The declared type of a column.
  ///
  /// The types of dates and times contain `TEXT`, so that SQLite does not convert their strings.
  public enum ColumnType: String, Hashable, Sendable, CaseIterable {
    case integer = "INTEGER", real = "REAL", text = "TEXT"
    /// 0 and 1.
    case boolean = "BOOLEAN"
    /// Strings in ISO 8601 notation: `2026-11-22`.
    case date = "DATE TEXT"
    /// Strings in ISO 8601 notation: `2026-11-22T17:30`.
    case dateTime = "DATETIME TEXT"
    /// JSON text: objects and arrays, and all other values of the same column.
    case json = "JSON TEXT"
    /// Numbers with any number of digits, as texts that are compared as numbers.
    case decimal = "DECIMAL TEXT"

    /// The type in SQL, with its collation.
    var declaration: String { self == .decimal ? "\(rawValue) COLLATE decimal" : rawValue }

    /// A Boolean value that indicates whether the values of columns with this declared type are
    /// decimal numbers.
    static func isDecimal(_ declaredType: String) -> Bool {
      SQLName.isSame(declaredType, decimal.rawValue)
        || SQLName.isSame(declaredType, "SPON \(decimal.rawValue)")
    }
  }
}

extension TableCollector {
  /// The kinds of values in a column, accumulated value by value.
  ///
  /// Values are strings, classified by ``TableCollector/TextKind``, or already have types. Strings
  /// of different kinds make a text column, which preserves them. Typed values of different kinds
  /// make a column without a declared type, in which SQLite preserves them, or a JSON column.
  /// Numbers make a decimal column if neither integers nor real numbers represent all of them.
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
    /// An integer that `Double` can't represent.
    public static let longInteger = ColumnKinds(rawValue: 2)
    public static let real = ColumnKinds(rawValue: 4)
    public static let boolean = ColumnKinds(rawValue: 8)
    public static let date = ColumnKinds(rawValue: 16)
    public static let dateTime = ColumnKinds(rawValue: 32)
    /// A string of no other kind.
    public static let text = ColumnKinds(rawValue: 64)
    /// A value that is a string, regardless of its content.
    public static let textValue = ColumnKinds(rawValue: 128)
    /// A number that no SQLite type can represent.
    public static let longNumber = ColumnKinds(rawValue: 256)
    /// An object or array.
    public static let container = ColumnKinds(rawValue: 512)
    /// Typed values: a string that looks like a number is still a string.
    public static let typed = ColumnKinds(rawValue: 1_024)

    /// Creates the kinds of a single string.
    public init(_ kind: TextKind) {
      switch kind {
      case .integer(let value): self = ColumnKinds(integer: value)
      case .real: self = .real
      case .decimal: self = .longNumber
      case .boolean: self = .boolean
      case .date: self = .date
      case .dateTime: self = .dateTime
      case .text: self = .text
      }
    }

    /// Creates the kinds of an integer, which `Double` may not be able to represent.
    init(integer value: Int64) {
      let isShort = value.magnitude <= 1 << 53 || Int64(exactly: Double(value)) == value
      self = isShort ? .integer : .longInteger
    }

    /// The column type to declare; `nil` for no type, if the kinds of values differ.
    ///
    /// A column of integers and real numbers is real if `Double` can represent every integer. A
    /// column without values is a text column if its values are strings, and otherwise has no type.
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
      case let kinds where kinds.isSubset(of: [.integer, .longInteger, .real, .longNumber]):
        // SQLite compares integers and real numbers exactly.
        return isTyped && !kinds.contains(.longNumber) ? nil : .decimal
      default:
        if !isTyped { return .text }
        return kinds.isDisjoint(with: [.boolean, .longNumber, .container]) ? nil : .json
      }
    }
  }
}

extension TableCollector {
  /// Derives column names from the names in a file.
  @_spi(Formats) public enum ColumnNames {
    /// Returns unique names, in the same order.
    ///
    /// - White space and control characters around a name are removed, and replaced by one space
    ///   within it.
    /// - An empty name becomes `column3`, according to its position.
    /// - A duplicate name, ignoring the case of ASCII letters as SQLite does, gets the first suffix
    ///   of `_2`, `_3` and so on that makes it unique. Names in the file take precedence over
    ///   generated ones.
    public static func unique(_ names: [String]) -> [String] {
      let cleaned = names.map(cleaned)
      // The first occurrence of each name keeps it.
      var taken: Set<FoldedName> = []
      let isFirst = cleaned.map { !$0.isEmpty && taken.insert(FoldedName($0)).inserted }
      return cleaned.enumerated().map { index, name in
        if isFirst[index] { return name }
        return taken.insertUnique(name.isEmpty ? "column\(index + 1)" : name)
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
