/// How the values of a column are stored, by their kinds or by the type that was declared.
enum ColumnStorage {
  /// There is no value yet.
  case undecided
  case number
  /// 0 and 1.
  case boolean
  case text
  /// Each as what it is.
  case any
  /// Each as a text in JSON.
  case json
  /// Declared ones, that others are refused by.
  case integer, real, date, dateTime

  init(_ kinds: ColumnKinds) {
    guard !kinds.subtracting(.typed).isEmpty else {
      self = .undecided
      return
    }
    switch kinds.type {
    case .integer, .real: self = .number
    case .boolean: self = .boolean
    case .text, .date, .dateTime: self = .text
    case .json: self = .json
    case nil: self = .any
    }
  }

  init(_ declared: ColumnType) {
    switch declared {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .boolean: self = .boolean
    case .date: self = .date
    case .dateTime: self = .dateTime
    case .json: self = .json
    }
  }

  /// Whether what was stored in one way would have been stored alike in this one.
  func holdsValues(of other: ColumnStorage) -> Bool {
    switch (other, self) {
    case (.undecided, _), (.number, .any), (.text, .any): true
    default: self == other
    }
  }
}

/// How the texts of a column were written whose type is not text, so that they can be written alike.
public struct ColumnForm: Hashable, Sendable {
  /// How many digits all real numbers have behind the point; `nil` where they differ, or there are none.
  public private(set) var fractionDigits: Int?
  /// How all of `true` and `false` were written.
  public private(set) var booleans: Booleans?
  /// Whether whole numbers, without a point, are among those with a fraction.
  public private(set) var hasWholeNumbers = false
  private var hasMixedFractions = false

  /// The letters of `true` and `false`.
  public enum Booleans: Hashable, Sendable { case small, large, capitalized, mixed }

  public init() {}

  mutating func note(real digits: Span<UInt8>) {
    guard !hasMixedFractions else { return }
    var count = 0
    while count < digits.count, digits[digits.count - 1 - count] != 0x2E { count += 1 }
    if fractionDigits == nil || fractionDigits == count {
      fractionDigits = count
    } else {
      fractionDigits = nil
      hasMixedFractions = true
    }
  }

  mutating func noteWholeNumber() { hasWholeNumbers = true }

  mutating func note(boolean text: Span<UInt8>) {
    let form: Booleans =
      text[0] >= 0x61
      ? .small : text[1] >= 0x61 ? .capitalized : .large
    if let booleans, booleans != form { self.booleans = .mixed } else { booleans = form }
  }
}
