/// A list of values that one parameter holds: `holt_array(?)` in SQL is the table of them.
///
/// The table has a row for each value, in the list's order, with the column `value` and a `rowid` that
/// counts from 1. Every value keeps its storage class, also NULL, and the list may have any length, and
/// none. The statement's text does not depend on it, so it is compiled once.
///
/// ```swift
/// let ids = SQLiteArray([3, 5, 8])
/// let names = try connection.values(
///   String.self, "SELECT name FROM player WHERE id IN holt_array(?)", ids)
/// try connection.run("INSERT INTO team (name) SELECT value FROM holt_array(?)", SQLiteArray(names))
/// ```
///
/// A parameter that holds something else, or nothing, is an error as the statement runs. `holt_array` can't be used by
/// views and triggers, and the list is gone with the statement's other values.
///
/// SQLite does not know how long a list is when it plans, and takes it for a short one.
public struct SQLiteArray<Element: SQLiteBindable> {
  /// The values, in their order.
  public var elements: [Element]

  public init(_ elements: some Sequence<Element>) { self.elements = Array(elements) }
}

extension SQLiteArray: Sendable where Element: Sendable {}
extension SQLiteArray: Equatable where Element: Equatable {}
extension SQLiteArray: Hashable where Element: Hashable {}

extension SQLiteArray: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.elements = elements }
}

extension SQLiteArray: SQLiteBindable {
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported``: a list is no single value.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      throw SQLiteError(code: .unsupported, message: "a list can be bound, but is no single value")
    }
  }

  /// Binds the list as it is now.
  ///
  /// - Throws: ``SQLiteError`` as binding one of the elements does.
  /// - Complexity: O(1) for elements that are `Int64`, `Double`, `String`, `[UInt8]` or ``SQLiteValue``, which are shared; O(*n*) for
  ///   other types, whose values are converted one by one.
  public func bind(to statement: Statement, at index: ParameterIndex) throws(SQLiteError) {
    let values: ListValues
    do throws(SQLiteError) {
      values = try ListValues(elements)
    } catch {
      throw error.inStatement(statement.sql)
    }
    try statement.bindList(values, at: index)
  }
}

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
