extension VirtualTable {
  /// A virtual table that is notified when `ALTER TABLE … RENAME TO` renames it. SQLite renames other virtual tables in the
  /// schema alone, and connects them by the new name from then on.
  ///
  /// ```swift
  /// extension Notes: VirtualTable.RenamableTable {
  ///   func rename(to name: String) { file.name = name }
  /// }
  /// ```
  ///
  /// See also https://sqlite.org/vtab.html#the_xrename_method.
  public protocol RenamableTable: Table {
    /// Gives what the table stores another name, before SQLite changes the schema.
    ///
    /// The schema stays the same. If this throws, the statement fails and the table keeps its name.
    func rename(to name: String) throws
  }

  /// A virtual table with its own implementations of SQL functions, for calls whose first argument is one of its
  /// columns.
  ///
  /// `b MATCH a`, `LIKE`, `GLOB` and `REGEXP` are calls too, with the right side as the first argument of the function: the
  /// column is the one on the left. A function of a name that the connection does not have otherwise needs a placeholder: see
  /// ``Connection/registerPlaceholder(for:argumentCount:)``.
  ///
  /// ```swift
  /// extension Notes: VirtualTable.OverloadingTable {
  ///   func overload(of name: String, argumentCount: Int) -> VirtualTable.FunctionOverload? {
  ///     guard name == "match", argumentCount == 2 else { return nil }
  ///     return VirtualTable.FunctionOverload { arguments in
  ///       guard case .text(let pattern) = arguments[0], case .text(let note) = arguments[1] else {
  ///         return 0
  ///       }
  ///       return note.contains(pattern) ? 1 : 0
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// See also https://sqlite.org/vtab.html#the_xfindfunction_method.
  public protocol OverloadingTable: Table {
    /// The table's implementation of a function; `nil` if the call is to be that of the connection's function.
    ///
    /// SQLite asks as it compiles a statement. The answer is kept until the table is disconnected.
    ///
    /// - Parameters:
    ///   - name: The function's name, in lower case.
    ///   - argumentCount: The number of arguments of the call.
    func overload(of name: String, argumentCount: Int) -> FunctionOverload?
  }

  /// A table's own implementation of an SQL function: see ``OverloadingTable``.
  public struct FunctionOverload {
    let constraint: Operator?
    let body: (borrowing FunctionArguments) throws -> SQLiteValue

    /// - Parameters:
    ///   - constraint: A number from 0 to 105 for a function of two arguments that a plan may use: a call in the
    ///     `WHERE` clause, whose first argument is a column, is then a constraint with ``Operator/function(_:)`` of
    ///     this number, which compares the column with the second argument.
    ///   - body: Makes the result of the arguments. What it throws fails the statement, as for functions: see
    ///     ``Connection/register(_:argumentCount:options:_:)``.
    public init(
      constraint: Int? = nil,
      _ body: @escaping (borrowing FunctionArguments) throws -> SQLiteValue
    ) {
      self.constraint = constraint.map { Operator.function($0) }
      self.body = body
    }
  }

  /// A virtual table that `PRAGMA integrity_check` and `PRAGMA quick_check` check, since SQLite 3.44. Earlier releases,
  /// and programs that were compiled with the header of one, do not ask it: see
  /// ``SQLiteLibrary/Feature/virtualTableChecks``.
  ///
  /// See also https://sqlite.org/vtab.html#the_xintegrity_method.
  public protocol CheckableTable: Table {
    /// Looks for damage in what the table stores.
    ///
    /// If it throws, the pragma fails with the error: that the check was not possible.
    ///
    /// - Parameter isQuick: Whether the pragma is `quick_check`, for which a check should take O(*n*).
    /// - Returns: A line of the pragma's result, which should name the table; `nil` if nothing is damaged.
    func integrityFault(isQuick: Bool) throws -> String?
  }
}

extension FunctionArguments {
  /// The values of an `IN` list, for an argument that the plan used with ``VirtualTable/Plan/useList(_:omit:)``.
  ///
  /// SQLite sorts the values and leaves out repeated ones.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the argument is not a list, or if there is no such
  ///   argument.
  /// - Complexity: O(*n*) in the size of the values, which are copied.
  public func list(at index: Int) throws(SQLiteError) -> [SQLiteValue] {
    guard index >= 0, index < values.count else {
      throw SQLiteError(code: .misuse, message: "there is no argument \(index)")
    }
    return try values[index].list()
  }

  /// Whether an `UPDATE` leaves the value of a column as it is, for the values that
  /// ``VirtualTable/WritableTable/update(_:to:_:onConflict:)`` receives.
  ///
  /// `false` unless the table has ``VirtualTable/WritableTable/omitsUnchangedValues``; the value is NULL then. A statement
  /// that assigns a column its own value changes it.
  public func isUnchanged(_ index: Int) -> Bool {
    index >= 0 && index < values.count && values[index].isUnchanged
  }
}

extension Connection {
  /// Registers a function that fails if it is called, unless there is one of its name and number of arguments: a
  /// ``VirtualTable/OverloadingTable`` can then implement it for its columns.
  ///
  /// ```swift
  /// try connection.registerPlaceholder(for: "near", argumentCount: 2)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The function's name, which SQL may write in either case.
  ///   - argumentCount: The number of arguments; `nil` for any number.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the name contains NUL or the number is not between
  ///   0 and 127.
  public func registerPlaceholder(
    for name: String, argumentCount: Int?
  ) throws(SQLiteError) {
    try handle.createPlaceholder(for: name, argumentCount: argumentCount)
  }
}
