/// The values that an SQL function or a virtual table was called with: lent for the length of the call.
public struct FunctionArguments: ~Copyable {
  let values: EngineValues

  /// How many arguments there are.
  public var count: Int { values.count }

  /// One argument, counting from 0; NULL where there is none. Text that is not valid UTF-8 is repaired.
  public subscript(index: Int) -> SQLiteValue {
    index >= 0 && index < values.count ? values[index].copy : .null
  }
}

extension Connection {
  /// What SQLite may assume of a function.
  public struct FunctionOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The same arguments always give the same result: it may be used in indexes and generated
    /// columns, and called once where its arguments do not vary.
    public static let deterministic = FunctionOptions(rawValue: 1)
    /// It has no effect beyond its result and reveals nothing: the schema may use it.
    public static let innocuous = FunctionOptions(rawValue: 2)
    /// Only statements may use it, never the schema.
    public static let directOnly = FunctionOptions(rawValue: 4)
  }
}

/// A function that makes one value of the rows of a group.
///
/// ```swift
/// struct Longest: AggregateFunction {
///   private var longest: String?
///
///   mutating func step(_ arguments: borrowing FunctionArguments) {
///     guard case .text(let text) = arguments[0] else { return }
///     if text.count > longest?.count ?? -1 { longest = text }
///   }
///
///   func result() -> SQLiteValue { longest.map(SQLiteValue.text) ?? .null }
/// }
/// try connection.register(Longest.self, as: "longest", argumentCount: 1)
/// ```
public protocol AggregateFunction {
  /// Begins a group.
  init()
  /// Takes one row of the group.
  mutating func step(_ arguments: borrowing FunctionArguments) throws
  /// The group's value, also of a group without rows.
  func result() throws -> SQLiteValue
}

extension Connection {
  /// Gives SQL a function that is written in Swift.
  ///
  /// What `body` throws fails the statement: an ``SQLiteError`` with its code and message, anything
  /// else with its description. `body` must not use the connection.
  ///
  /// ```swift
  /// try connection.register("initial", argumentCount: 1, options: .deterministic) { arguments in
  ///   guard case .text(let text) = arguments[0] else { return .null }
  ///   return .text(String(text.prefix(1)))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The function's name, which SQL may write in either case.
  ///   - argumentCount: The number of arguments; `nil` for any number.
  ///   - options: What SQLite may assume of it.
  ///   - body: Makes the result of the arguments.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` for a name or a number of
  ///   arguments that SQLite does not take, with ``SQLiteError/Code/busy`` where it replaces one
  ///   while a statement runs.
  public func register(
    _ name: String, argumentCount: Int?, options: FunctionOptions = [],
    _ body: @escaping (borrowing FunctionArguments) throws -> SQLiteValue
  ) throws(SQLiteError) {
    try handle.createFunction(name, argumentCount: argumentCount, options: options, body: body)
  }

  /// Gives SQL an aggregate function that is written in Swift.
  ///
  /// - Throws: As ``register(_:argumentCount:options:_:)``.
  public func register<Function: AggregateFunction>(
    _ type: Function.Type, as name: String, argumentCount: Int?, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createAggregate(type, name, argumentCount: argumentCount, options: options)
  }

  /// Gives SQL an order of texts that is written in Swift.
  ///
  /// - Parameters:
  ///   - name: What follows `COLLATE`.
  ///   - compare: Negative where the first text comes first, 0 where they are equal. It must be an
  ///     order: indexes that use it are corrupt otherwise.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` where it replaces one while a
  ///   statement runs, with ``SQLiteError/Code/misuse`` where the name holds a NUL.
  public func registerCollation(
    _ name: String, _ compare: @escaping (String, String) -> Int
  ) throws(SQLiteError) {
    try handle.createCollation(name, compare)
  }

  /// Takes a function away. One that does not exist is not an error.
  ///
  /// - Throws: As ``register(_:argumentCount:options:_:)``.
  public func unregister(_ name: String, argumentCount: Int?) throws(SQLiteError) {
    try handle.deleteFunction(name, argumentCount: argumentCount)
  }
}

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

/// An order of texts that knows Unicode, ready to be registered.
///
/// SQLite's own `BINARY` and `NOCASE` know the letters of ASCII. These compare as Swift does, alike on
/// every platform; no language's customs come into it.
///
/// ```swift
/// try connection.register(.unicodeCaseInsensitive)
/// let names = try connection.values(
///   String.self, "SELECT name FROM person ORDER BY name COLLATE unicode_nocase")
/// ```
///
/// The order is that of the Unicode release which the Swift runtime knows. An index that uses it is to be
/// built anew (`REINDEX`) where a later release orders its texts otherwise.
public struct UnicodeCollation: Sendable {
  /// What follows `COLLATE`.
  public let name: String
  let compare: @Sendable (String, String) -> Int

  /// `unicode`: an `é` of one character is equal to one of two, and letters go by their code points.
  public static let unicode = UnicodeCollation(name: "unicode") { $0.order($1) }

  /// `unicode_nocase`: as `unicode`, and letters of either case are equal: texts are compared in upper
  /// case.
  public static let unicodeCaseInsensitive = UnicodeCollation(name: "unicode_nocase") {
    $0.uppercased().order($1.uppercased())
  }
}

extension Connection {
  /// Gives SQL one of the ready orders of texts.
  ///
  /// - Throws: As ``registerCollation(_:_:)``.
  public func register(_ collation: UnicodeCollation) throws(SQLiteError) {
    try registerCollation(collation.name, collation.compare)
  }
}

extension String {
  fileprivate func order(_ other: String) -> Int { self < other ? -1 : self == other ? 0 : 1 }
}
