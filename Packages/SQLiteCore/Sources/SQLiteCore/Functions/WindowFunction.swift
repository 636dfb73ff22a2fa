/// A function over a window of rows that moves: one that can take a row back.
///
/// SQL may also use it as an aggregate, without `OVER`.
///
/// ```swift
/// struct Product: WindowFunction {
///   private var factors: [Int64] = []
///
///   mutating func step(_ arguments: borrowing FunctionArguments) {
///     if case .integer(let factor) = arguments[0] { factors.append(factor) }
///   }
///
///   mutating func inverse(_ arguments: borrowing FunctionArguments) {
///     if case .integer = arguments[0] { factors.removeFirst() }
///   }
///
///   func value() -> SQLiteValue { .integer(factors.reduce(1, &*)) }
/// }
/// try connection.register(Product.self, as: "product", argumentCount: 1)
/// let products = try connection.values(
///   Int.self, "SELECT product(n) OVER (ORDER BY n ROWS 1 PRECEDING) FROM number")
/// ```
///
/// What one of its methods throws fails the statement, as for an ``AggregateFunction``, and nothing more
/// is asked of it.
public protocol WindowFunction: AggregateFunction {
  /// Takes back the row that came into the window first, of those that are in it.
  mutating func inverse(_ arguments: borrowing FunctionArguments) throws
  /// The value of the rows that are in the window, which goes on.
  func value() throws -> SQLiteValue
}

extension WindowFunction {
  /// The value of the rows that are there at the end: ``value()``, unless you say otherwise.
  public func result() throws -> SQLiteValue { try value() }
}

extension Connection {
  /// Gives SQL a window function that is written in Swift.
  ///
  /// - Parameters:
  ///   - type: Makes a value of its own for each window.
  ///   - name: The function's name, which SQL may write in either case.
  ///   - argumentCount: The number of arguments; `nil` for any number.
  ///   - options: What SQLite may assume of it.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` for a number of arguments that SQLite
  ///   does not take, with ``SQLiteError/Code/busy`` while a statement that uses the name runs.
  public func register<Function: WindowFunction>(
    _ type: Function.Type, as name: String, argumentCount: Int?, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createWindowFunction(type, name, argumentCount: argumentCount, options: options)
  }
}
