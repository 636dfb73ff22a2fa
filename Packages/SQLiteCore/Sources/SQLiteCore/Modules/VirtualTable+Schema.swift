extension VirtualTable {
  /// A virtual table that is notified when `ALTER TABLE … RENAME TO` renames it. For other virtual tables, SQLite only
  /// changes the name in the schema, and then connects the table under its new name.
  ///
  /// ```swift
  /// extension Notes: VirtualTable.RenamableTable {
  ///   func rename(to name: String) { file.name = name }
  /// }
  /// ```
  ///
  /// See also https://sqlite.org/vtab.html#the_xrename_method.
  public protocol RenamableTable: Table {
    /// Renames the table's stored content, before SQLite changes the name in the schema.
    ///
    /// The table stays in its schema. If this throws, the statement fails and the table keeps its name.
    func rename(to name: String) throws
  }

  /// A virtual table with its own implementations of SQL functions, for calls whose first argument is one of its
  /// columns.
  ///
  /// `b MATCH a`, `LIKE`, `GLOB` and `REGEXP` are calls too, with the right side as the first argument of the function:
  /// the column is the operand on the left. If the connection has no function of the name, register a placeholder with
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
    /// Returns the table's implementation of a function; `nil` to call the connection's function.
    ///
    /// SQLite calls this method when it compiles a statement. The result is cached until the table is disconnected.
    ///
    /// - Parameters:
    ///   - name: The function's name, in lower case.
    ///   - argumentCount: The call's number of arguments.
    func overload(of name: String, argumentCount: Int) -> FunctionOverload?
  }

  /// A table's own implementation of an SQL function: see ``OverloadingTable``.
  public struct FunctionOverload {
    let constraint: Operator?
    let body: (borrowing FunctionArguments) throws -> SQLiteValue

    /// - Parameters:
    ///   - constraint: A number from 0 to 105, for a function of two arguments that a plan can use. A call in the
    ///     `WHERE` clause whose first argument is a column then becomes a constraint with the operator
    ///     ``Operator/function(_:)`` of this number and the second argument as its value.
    ///   - body: Computes the result from the arguments. An error that it throws fails the statement: see
    ///     ``Connection/register(_:argumentCount:options:_:)``.
    public init(
      constraint: Int? = nil,
      _ body: @escaping (borrowing FunctionArguments) throws -> SQLiteValue
    ) {
      self.constraint = constraint.map { Operator.function($0) }
      self.body = body
    }
  }

  /// A virtual table that `PRAGMA integrity_check` and `PRAGMA quick_check` check. This requires SQLite 3.44 both at
  /// compile time and at run time: see ``SQLiteLibrary/Feature/virtualTableChecks``.
  ///
  /// See also https://sqlite.org/vtab.html#the_xintegrity_method.
  public protocol CheckableTable: Table {
    /// Checks the table's stored content for damage.
    ///
    /// If the check itself is not possible, throw an error: the pragma fails with it.
    ///
    /// - Parameter isQuick: Whether the pragma is `quick_check`, whose check should take O(*n*).
    /// - Returns: A line for the pragma's result, which should contain the table's name; `nil` if there is no damage.
    func integrityFault(isQuick: Bool) throws -> String?
  }
}

extension FunctionArguments {
  /// The values of an `IN` list, for an argument that the plan used with ``VirtualTable/Plan/useList(_:omit:)``.
  ///
  /// SQLite sorts the values and removes duplicates.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the argument is not a list, or if there is no
  ///   such argument.
  /// - Complexity: O(*n*) in the size of the values, which are copied.
  public func list(at index: Int) throws(SQLiteError) -> [SQLiteValue] {
    guard index >= 0, index < values.count else {
      throw SQLiteError(code: .misuse, message: "there is no argument \(index)")
    }
    return try values[index].list()
  }

  /// Returns whether an `UPDATE` leaves a column unchanged, for the values passed to
  /// ``VirtualTable/WritableTable/update(_:to:_:onConflict:)``.
  ///
  /// Always `false` unless the table's ``VirtualTable/WritableTable/omitsUnchangedValues`` is `true`. The value of an
  /// unchanged column is NULL. A column that is assigned its own value counts as changed.
  public func isUnchanged(_ index: Int) -> Bool {
    index >= 0 && index < values.count && values[index].isUnchanged
  }
}

extension Connection {
  /// Registers a function that always throws an error, so that a ``VirtualTable/OverloadingTable`` can implement it for
  /// its columns. Has no effect if a function with this name and number of arguments exists.
  ///
  /// ```swift
  /// try connection.registerPlaceholder(for: "near", argumentCount: 2)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The function's name, which is not case-sensitive.
  ///   - argumentCount: The number of arguments; `nil` for any number.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the name contains NUL or the number is not
  ///   between 0 and 127.
  public func registerPlaceholder(
    for name: String, argumentCount: Int?
  ) throws(SQLiteError) {
    try handle.createPlaceholder(for: name, argumentCount: argumentCount)
  }
}
