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

  init(_ kinds: TableCollector.ColumnKinds) {
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

  init(_ declared: TableCollector.ColumnType) {
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
