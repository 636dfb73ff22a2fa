/// The values of a list, as the engine reads them.
enum ListValues: Sendable {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([[UInt8]])
  case mixed([SQLiteValue])

  /// - Complexity: O(1) for elements that are `Int64`, `Double`, `String`, `[UInt8]` or ``SQLiteValue``.
  init<Element: SQLiteBindable>(_ elements: [Element]) throws(SQLiteError) {
    if Element.self == Int64.self {
      self = .integers(identity(elements, as: [Int64].self))
    } else if Element.self == Double.self {
      self = .reals(identity(elements, as: [Double].self))
    } else if Element.self == String.self {
      self = .texts(identity(elements, as: [String].self))
    } else if Element.self == [UInt8].self {
      self = .blobs(identity(elements, as: [[UInt8]].self))
    } else if Element.self == SQLiteValue.self {
      self = .mixed(identity(elements, as: [SQLiteValue].self))
    } else if Element.self == Int.self {
      self = .integers(identity(elements, as: [Int].self).map { Int64($0) })
    } else {
      var values: [SQLiteValue] = []
      values.reserveCapacity(elements.count)
      for element in elements { values.append(try element.sqliteValue) }
      self = .mixed(values)
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
}
