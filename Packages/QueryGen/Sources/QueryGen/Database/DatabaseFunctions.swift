/// The functions, aggregates, collations and modules that a generated database's SQL uses and the
/// program implements, such as `DBFunctions`.
///
/// The generated struct has a property for each declaration, so that a missing implementation is an
/// error of the compiler:
///
/// ```swift
/// let functions = DBFunctions(slug: { title in title.lowercased() })
/// let db = try DB(path: "library.sqlite", functions: functions)
/// ```
///
/// Opening the database registers them on each connection, before the migrations run. To open it
/// otherwise, register them in its configuration:
///
/// ```swift
/// let configuration = Configuration().registering(functions)
/// let database = try Database(path: "library.sqlite", configuration: configuration)
/// try database.migrate(DB.migrations)
/// let db = DB(migrated: database)
/// ```
public protocol DatabaseFunctions: Sendable {
  /// Registers the implementations on a connection.
  func register(on connection: Connection) throws
}

/// The functions of a database whose SQL needs none.
extension Never: DatabaseFunctions {
  public func register(on connection: Connection) {}
}

extension Configuration {
  /// Returns a configuration that registers functions on each connection, before `prepare`.
  public func registering(_ functions: some DatabaseFunctions) -> Configuration {
    var configuration = self
    configuration.prepare = { [prepare] connection in
      try functions.register(on: connection)
      try prepare?(connection)
    }
    return configuration
  }
}

/// Helpers for generated code.
extension Row {
  /// Creates a row of a function's arguments, so that they are converted as columns are, and errors
  /// name the parameter.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of a call.
  ///   - parameters: The names of the parameters, except of a variadic one.
  ///   - defaults: The values of omitted arguments, for the last parameters.
  ///   - variadic: The name of all further arguments.
  public init(
    _ arguments: borrowing FunctionArguments, parameters: [String], defaults: [SQLiteValue] = [],
    variadic: String? = nil
  ) {
    var names = parameters
    var values: [SQLiteValue] = []
    for index in 0..<arguments.count {
      values.append(arguments[index])
      if index >= parameters.count { names.append(variadic ?? "") }
    }
    if values.count < parameters.count {
      values += defaults.suffix(parameters.count - values.count)
    }
    self.init(columns: names, values: values)
  }
}

extension SQLiteValue {
  /// Creates the value that SQLite stores for a function's result.
  public init(storing result: some SQLiteBindable) throws(SQLiteError) {
    self = try result.sqliteValue
  }
}

extension FunctionArguments {
  /// A Boolean value that indicates whether an argument is NULL.
  public var containNull: Bool {
    for index in 0..<count where self[index] == .null { return true }
    return false
  }
}

extension Connection {
  /// Registers a module whose kind must be as declared, because QueryGen checked the SQL accordingly.
  ///
  /// - Throws: `SQLiteError` with code `SQLiteError.Code.misuse` if the module has another kind; the
  ///   errors of `register(module:as:options:)`.
  public func register(
    module: some VirtualTable.Module, as name: String, kind: VirtualTable.ModuleKind,
    options: FunctionOptions = []
  ) throws(SQLiteError) {
    guard module.kind == kind else {
      throw SQLiteError(
        code: .misuse,
        message: "the module \(name) is of the kind \(module.kind), but is declared as \(kind)")
    }
    try register(module: module, as: name, options: options)
  }
}
