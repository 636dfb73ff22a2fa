/// A list of values that is bound to one parameter. The table-valued SQL function `array_each(?)`
/// returns its values.
///
/// The table has a row for each value, in the list's order, with the column `value` and a `rowid`
/// that counts from 1. Every value, including NULL, keeps its storage class. The list can have any
/// length, including 0. The statement's text does not depend on the length, so it is compiled once.
///
/// ```swift
/// let ids = SQLiteArray([3, 5, 8])
/// let names = try connection.values(
///   String.self, "SELECT name FROM player WHERE id IN array_each(?)", ids)
/// try connection.run("INSERT INTO team (name) SELECT value FROM array_each(?)", SQLiteArray(names))
/// ```
///
/// If the parameter is not a list, running the statement fails. Views and triggers can't use
/// `array_each`. The list is released when the statement's bindings are cleared.
///
/// SQLite's query planner does not know the length of a list, and assumes a short one.
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
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported``, because a list is not a
  ///   single value.
  public var sqliteValue: SQLiteValue {
    get throws(SQLiteError) {
      throw SQLiteError(
        code: .unsupported,
        message: "a list can be bound to a parameter, but is not a single value")
    }
  }

  /// Binds the list's current elements.
  ///
  /// - Throws: The errors of the elements' ``SQLiteBindable/sqliteValue``.
  /// - Complexity: O(1) for elements of type `Int64`, `Double`, `String`, `[UInt8]` or
  ///   ``SQLiteValue``, which are shared; O(*n*) for other types, which are converted.
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

/// The values of a list, as SQLite reads them.
enum ListValues: Sendable {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([[UInt8]])
  case mixed([SQLiteValue])

  /// - Complexity: O(1) for elements of type `Int64`, `Double`, `String`, `[UInt8]` or
  ///   ``SQLiteValue``.
  init<Element: SQLiteBindable>(_ elements: [Element]) throws(SQLiteError) {
    if Element.self == Int64.self {
      self = .integers(identityCast(elements, as: [Int64].self))
    } else if Element.self == Double.self {
      self = .reals(identityCast(elements, as: [Double].self))
    } else if Element.self == String.self {
      self = .texts(identityCast(elements, as: [String].self))
    } else if Element.self == [UInt8].self {
      self = .blobs(identityCast(elements, as: [[UInt8]].self))
    } else if Element.self == SQLiteValue.self {
      self = .mixed(identityCast(elements, as: [SQLiteValue].self))
    } else if Element.self == Int.self {
      self = .integers(identityCast(elements, as: [Int].self).map { Int64($0) })
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
