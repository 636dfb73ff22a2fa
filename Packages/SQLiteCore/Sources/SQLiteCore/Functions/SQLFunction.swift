/// The arguments of an SQL function or virtual table. They are valid only during the call.
public struct FunctionArguments: ~Copyable {
  let values: EngineValues

  /// The number of arguments.
  public var count: Int { values.count }

  /// Returns an argument, counting from 0; NULL if there is no such argument. Invalid UTF-8 is
  /// repaired.
  public subscript(index: Int) -> SQLiteValue {
    index >= 0 && index < values.count ? values[index].copy : .null
  }

  /// Returns an argument, counting from 0, that is an integer; `nil` for any other argument.
  public func integer(at index: Int) -> Int64? {
    index >= 0 && index < values.count ? values[index].integer : nil
  }

  /// Returns an argument, counting from 0, that is a real number; `nil` for any other argument.
  public func real(at index: Int) -> Double? {
    index >= 0 && index < values.count ? values[index].real : nil
  }
}

extension Connection {
  /// The properties of a function that SQLite may rely on.
  public struct FunctionOptions: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The same arguments always produce the same result. The function may be used in indexes and
    /// generated columns, and SQLite may call it once for constant arguments.
    public static let deterministic = FunctionOptions(rawValue: 1)
    /// The function has no side effects and reveals no information. The schema may use it.
    public static let innocuous = FunctionOptions(rawValue: 2)
    /// The function may be used by statements only, not by the schema.
    public static let directOnly = FunctionOptions(rawValue: 4)
  }
}

/// A function that computes one value from the rows of a group.
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
  /// Adds one row to the group.
  mutating func step(_ arguments: borrowing FunctionArguments) throws
  /// Returns the group's value. Also called for a group without rows.
  func result() throws -> SQLiteValue
}

extension Connection {
  /// Registers an SQL function that is implemented in Swift.
  ///
  /// An error that `body` throws fails the statement: a ``SQLiteError`` with its code and message,
  /// any other error with its description. `body` must not use the connection.
  ///
  /// ```swift
  /// try connection.register("initial", argumentCount: 1, options: .deterministic) { arguments in
  ///   guard case .text(let text) = arguments[0] else { return .null }
  ///   return .text(String(text.prefix(1)))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The function's name, which is case-insensitive.
  ///   - argumentCount: The number of arguments; `nil` for any number.
  ///   - options: The properties of the function that SQLite may rely on.
  ///   - body: Computes the result from the arguments.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` for an invalid name or number
  ///   of arguments; with ``SQLiteError/Code/busy`` if a function is replaced while a statement
  ///   runs.
  public func register(
    _ name: String, argumentCount: Int?, options: FunctionOptions = [],
    _ body: @escaping (borrowing FunctionArguments) throws -> SQLiteValue
  ) throws(SQLiteError) {
    try handle.createFunction(name, argumentCount: argumentCount, options: options, body: body)
  }

  /// Registers an aggregate function that is implemented in Swift.
  ///
  /// - Throws: The same errors as ``register(_:argumentCount:options:_:)``.
  public func register<Function: AggregateFunction>(
    _ type: Function.Type, as name: String, argumentCount: Int?, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createAggregate(type, name, argumentCount: argumentCount, options: options)
  }

  /// Registers a collation that is implemented in Swift.
  ///
  /// - Parameters:
  ///   - name: The collation's name in SQL.
  ///   - compare: Returns a negative number if the first string sorts before the second, 0 if the
  ///     strings are equal, and otherwise a positive number. It must be a total order, because
  ///     otherwise indexes that use it become corrupt.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` if a collation is replaced while
  ///   a statement runs; with ``SQLiteError/Code/misuse`` if the name contains NUL.
  public func registerCollation(
    _ name: String, _ compare: @escaping (String, String) -> Int
  ) throws(SQLiteError) {
    try handle.createCollation(name, compare)
  }

  /// Removes a function. A function that does not exist is not an error.
  ///
  /// - Throws: The same errors as ``register(_:argumentCount:options:_:)``.
  public func unregister(_ name: String, argumentCount: Int?) throws(SQLiteError) {
    try handle.deleteFunction(name, argumentCount: argumentCount)
  }
}

/// An aggregate function over a moving window of rows, which can remove rows from the window.
///
/// SQL may also use the function as an aggregate, without `OVER`.
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
/// An error that one of the methods throws fails the statement, as for an ``AggregateFunction``.
/// The function is not called again after that.
public protocol WindowFunction: AggregateFunction {
  /// Removes the oldest row from the window.
  mutating func inverse(_ arguments: borrowing FunctionArguments) throws
  /// Returns the value of the current window, which continues afterwards.
  func value() throws -> SQLiteValue
}

extension WindowFunction {
  /// Returns the value of the last window. By default, this is ``value()``.
  public func result() throws -> SQLiteValue { try value() }
}

extension Connection {
  /// Registers a window function that is implemented in Swift.
  ///
  /// - Parameters:
  ///   - type: The function's type. An instance is created for each window.
  ///   - name: The function's name, which is case-insensitive.
  ///   - argumentCount: The number of arguments; `nil` for any number.
  ///   - options: The properties of the function that SQLite may rely on.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` for an invalid number of
  ///   arguments; with ``SQLiteError/Code/busy`` while a statement that uses the name runs.
  public func register<Function: WindowFunction>(
    _ type: Function.Type, as name: String, argumentCount: Int?, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createWindowFunction(type, name, argumentCount: argumentCount, options: options)
  }
}

/// A predefined collation with Unicode support.
///
/// SQLite's own `NOCASE` collation folds only ASCII letters. These collations compare as Swift's
/// `String` does, independently of the platform and the locale.
///
/// ```swift
/// try connection.register(.unicodeCaseInsensitive)
/// let names = try connection.values(
///   String.self, "SELECT name FROM person ORDER BY name COLLATE unicode_nocase")
/// ```
///
/// The order is defined by the Swift runtime's Unicode version. Indexes that use the collation must
/// be rebuilt (`REINDEX`) if a later version sorts their content differently.
public struct UnicodeCollation: Sendable {
  /// The collation's name in SQL.
  public let name: String
  let compare: @Sendable (String, String) -> Int

  /// `unicode`: canonically equivalent strings are equal, and letters sort by their code points.
  public static let unicode = UnicodeCollation(name: "unicode") { $0.order($1) }

  /// `unicode_nocase`: like `unicode`, but case-insensitive. Strings are compared in upper case.
  public static let unicodeCaseInsensitive = UnicodeCollation(name: "unicode_nocase") {
    $0.uppercased().order($1.uppercased())
  }
}

extension Connection {
  /// Registers a predefined collation.
  ///
  /// - Throws: The same errors as ``registerCollation(_:_:)``.
  public func register(_ collation: UnicodeCollation) throws(SQLiteError) {
    try registerCollation(collation.name, collation.compare)
  }
}

extension String {
  fileprivate func order(_ other: String) -> Int { self < other ? -1 : self == other ? 0 : 1 }
}
