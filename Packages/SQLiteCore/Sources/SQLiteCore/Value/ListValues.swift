/// The values of a list as SQLite is to see them.
enum ListValues: Sendable {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([[UInt8]])
  case mixed([SQLiteValue])

  init<Element: SQLiteBindable>(_ elements: [Element]) throws(SQLiteError) {
    if let element = Element.self as? any ListElement.Type {
      self = try Self.values(of: elements, as: element)
    } else {
      self = .mixed(try ValueCapture.values(of: elements))
    }
  }

  var count: Int {
    switch self {
    case .integers(let values): values.count
    case .reals(let values): values.count
    case .texts(let values): values.count
    case .blobs(let values): values.count
    case .mixed(let values): values.count
    }
  }

  /// - Parameter type: Their own. A cast to it would look at each of them.
  private static func values<Element: ListElement, Known: SQLiteBindable>(
    of elements: [Known], as type: Element.Type
  ) throws(SQLiteError) -> ListValues {
    try Element.listValues(of: identity(elements, as: [Element].self))
  }
}

/// A type whose value in SQLite is known without asking it.
protocol ListElement {
  func listValue() throws(SQLiteError) -> SQLiteValue
  static func listValues(of elements: [Self]) throws(SQLiteError) -> ListValues
}

extension ListElement {
  static func listValues(of elements: [Self]) throws(SQLiteError) -> ListValues {
    var values: [SQLiteValue] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try element.listValue()) }
    return .mixed(values)
  }
}

extension ListElement where Self: FixedWidthInteger {
  func listValue() throws(SQLiteError) -> SQLiteValue { .integer(try listInteger()) }

  static func listValues(of elements: [Self]) throws(SQLiteError) -> ListValues {
    var values: [Int64] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(try element.listInteger()) }
    return .integers(values)
  }

  private func listInteger() throws(SQLiteError) -> Int64 {
    guard let exact = Int64(exactly: self) else {
      throw SQLiteError(
        code: .valueOutOfRange,
        message: "a value of the list is no integer of 64 bits with a sign, SQLite's largest")
    }
    return exact
  }
}

extension Int: ListElement {}
extension Int32: ListElement {}
extension UInt32: ListElement {}
extension UInt: ListElement {}
extension UInt64: ListElement {}

extension Int64: ListElement {
  static func listValues(of elements: [Int64]) -> ListValues { .integers(elements) }
}

extension Double: ListElement {
  func listValue() -> SQLiteValue { isNaN ? .null : .real(self) }
  static func listValues(of elements: [Double]) -> ListValues { .reals(elements) }
}

extension String: ListElement {
  func listValue() -> SQLiteValue { .text(self) }
  static func listValues(of elements: [String]) -> ListValues { .texts(elements) }
}

extension Array: ListElement where Element == UInt8 {
  func listValue() -> SQLiteValue { .blob(self) }
  static func listValues(of elements: [[UInt8]]) -> ListValues { .blobs(elements) }
}

extension SQLiteValue: ListElement {
  func listValue() -> SQLiteValue { self }
  static func listValues(of elements: [SQLiteValue]) -> ListValues { .mixed(elements) }
}

extension Optional: ListElement where Wrapped: ListElement {
  func listValue() throws(SQLiteError) -> SQLiteValue {
    if let self { try self.listValue() } else { .null }
  }
}
