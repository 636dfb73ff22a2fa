public import Primitives

/// Virtual tables implemented in Swift, with rows that code computes or stores.
///
/// A ``Module`` is registered on a connection under a name and connects tables. A ``Table`` declares its columns,
/// chooses a plan for each query, and opens cursors. A ``Cursor`` returns the rows of one query.
///
/// ```swift
/// struct Countdown: VirtualTable.Module {
///   final class Table: VirtualTable.Table {
///     let columns: [VirtualTable.Column] = [
///       VirtualTable.Column("value", affinity: .integer),
///       VirtualTable.Column("start", affinity: .integer, isHidden: true),
///     ]
///
///     func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
///       let start = info.constraints.first { $0.column == 1 && $0.operator == .equal }
///       guard let start, start.isUsable else { return nil }
///       var plan = VirtualTable.Plan()
///       plan.use(start, omit: true)
///       return plan
///     }
///
///     func open() -> Cursor { Cursor() }
///   }
///
///   struct Cursor: VirtualTable.Cursor {
///     var (start, value): (Int64, Int64) = (0, 0)
///
///     mutating func filter(
///       indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
///     ) {
///       if case .integer(let first) = arguments[0] { start = first }
///       value = start
///     }
///
///     mutating func next() { value -= 1 }
///     var isAtEnd: Bool { value < 0 }
///     func column(_ column: ColumnIndex) -> SQLiteValue { .integer(column == 0 ? value : start) }
///     func rowID() -> RowID { RowID(rawValue: start - value) }
///   }
///
///   func connect(_ table: TableName, arguments: [String]) -> Table { Table() }
/// }
/// try connection.register(module: Countdown(), as: "countdown")
/// let values = try connection.values(Int.self, "SELECT value FROM countdown(3)")  // 3, 2, 1, 0
/// ```
///
/// An error that one of the methods throws fails the statement: a ``SQLiteError`` with its code and message, any other
/// error with its description. SQLite calls the methods in the middle of its work, on the thread that uses the
/// connection. They may run statements on the connection, but must not close it, reset the calling statement, or
/// register modules. A module should refer to its connection weakly, because the connection retains its modules.
///
/// See also https://sqlite.org/vtab.html.
public enum VirtualTable {
  /// A factory of virtual tables, registered by ``Connection/register(module:as:options:)``.
  ///
  /// The connection retains the module until the module is replaced or unregistered, or the connection is closed.
  /// Connected tables and compiled statements retain the module as well. SQLite may release a table only when it
  /// compiles the next statement.
  public protocol Module {
    associatedtype Table: VirtualTable.Table

    /// The kind of the module: ``ModuleKind/eponymousOnly`` by default.
    var kind: ModuleKind { get }

    /// The name suffixes of the module's shadow tables, without the preceding underscore: `["data"]` if a table `t`
    /// stores its content in a table `t_data`. Empty by default.
    ///
    /// With ``Configuration/isDefensive``, only the module's methods can write to shadow tables, while SQLite calls
    /// them. A suffix must not be empty or contain an underscore. The modules of a process can have 16 different sets.
    ///
    /// See also https://sqlite.org/vtab.html#the_xshadowname_method.
    var shadowNames: Set<String> { get }

    /// Connects an existing table: an eponymous table, or a table in the database's schema.
    ///
    /// SQLite calls this once for each connection that uses the table, when a statement first refers to it.
    ///
    /// - Parameters:
    ///   - table: The table's schema and name. An eponymous table has the module's name.
    ///   - arguments: The arguments of `CREATE VIRTUAL TABLE … USING module(arguments)`, as written in the statement,
    ///     without surrounding white space; empty for an eponymous table.
    func connect(_ table: TableName, arguments: [String]) throws -> Table

    /// Creates a table for `CREATE VIRTUAL TABLE`. The default implementation calls ``connect(_:arguments:)``.
    ///
    /// SQLite calls this only for modules of the kind ``ModuleKind/created``.
    func create(_ table: TableName, arguments: [String]) throws -> Table
  }

  /// The kind of a module, which determines how SQL refers to its tables.
  public enum ModuleKind: Hashable, Sendable, CaseIterable {
    /// The module is a single table with the module's name: a table-valued function. `CREATE VIRTUAL TABLE` can't use
    /// the module.
    case eponymousOnly
    /// The module is a table with the module's name, and `CREATE VIRTUAL TABLE` creates others. All tables are
    /// connected by ``Module/connect(_:arguments:)``.
    case eponymous
    /// Tables exist only between `CREATE VIRTUAL TABLE` and `DROP TABLE`. They are stored in the database's schema, so
    /// each connection to the database needs the module.
    case created
  }

  /// A virtual table of one connection, until it is disconnected.
  ///
  /// Conform to ``WritableTable`` for a table that SQL can change. ``RenamableTable``, ``OverloadingTable`` and
  /// ``CheckableTable`` add features that few tables need.
  public protocol Table: AnyObject {
    associatedtype Cursor: VirtualTable.Cursor

    /// The table's columns. SQLite reads them once, when the table is connected.
    var columns: [Column] { get }

    /// Chooses the plan for a query.
    ///
    /// SQLite may call this several times for one query, with different usable constraints, and uses the plan with the
    /// lowest cost.
    ///
    /// - Returns: The plan; `nil` if the table can't answer the query with the usable constraints. If no other join
    ///   order has a plan, preparing the statement fails with the message "no query solution".
    func bestIndex(_ info: IndexInfo) throws -> Plan?

    /// Opens a cursor, which has no current row until ``Cursor/filter(indexNumber:indexString:_:)``.
    func open() throws -> Cursor

    /// Removes the table's content for `DROP TABLE`. The default implementation does nothing.
    ///
    /// If this throws, the table is not dropped.
    func destroy() throws
  }

  /// A column of a virtual table.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// The affinity with which SQLite compares the column's values. Written values are not converted.
    public var affinity: ColumnAffinity
    /// The type with its collation, as in `CREATE TABLE`: `DECIMAL TEXT COLLATE decimal`. It determines the affinity.
    /// `nil` to declare the type that is named like ``affinity``.
    public var declaredType: String?
    /// A Boolean value that indicates whether `SELECT *` omits the column. The hidden columns of a table-valued
    /// function are its arguments, in order.
    public var isHidden: Bool

    public init(_ name: String, affinity: ColumnAffinity = .blob, isHidden: Bool = false) {
      self.name = name
      self.affinity = affinity
      self.isHidden = isHidden
    }

    /// Creates a column with a declared type.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - declaredType: The type with its collation, as SQL. It is inserted unchanged into the declaration.
    public init(_ name: String, declaredType: String) {
      self.init(name)
      self.declaredType = declaredType
    }
  }

  /// Iterates over the rows of one query on a virtual table.
  public protocol Cursor {
    /// Starts a query, or restarts the cursor's query with other arguments, and moves to the first row.
    ///
    /// - Parameters:
    ///   - indexNumber: ``Plan/indexNumber`` of the plan that SQLite chose.
    ///   - indexString: ``Plan/indexString`` of that plan.
    ///   - arguments: The values of the plan's constraints, in the order in which the plan uses them.
    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) throws

    /// Moves to the next row, or past the last one.
    mutating func next() throws

    /// A Boolean value that indicates whether the cursor is past the last row.
    var isAtEnd: Bool { get }

    /// Returns the value of a column of the current row.
    func column(_ column: ColumnIndex) throws -> SQLiteValue

    /// Passes the value of a column of the current row to SQLite. The default implementation passes the value that
    /// ``column(_:)`` returns.
    ///
    /// Implement this method if the rows are not stored as ``SQLiteValue``s, and creating one for each value would be
    /// slow.
    func column(_ column: ColumnIndex, _ result: borrowing ColumnResult) throws

    /// Returns the rowid of the current row. In a writable table, it identifies the row.
    func rowID() throws -> RowID
  }
}

extension VirtualTable.Module {
  public var kind: VirtualTable.ModuleKind { .eponymousOnly }
  public var shadowNames: Set<String> { [] }

  public func create(_ table: TableName, arguments: [String]) throws -> Table {
    try connect(table, arguments: arguments)
  }
}

extension VirtualTable.Table {
  public func destroy() throws {}
}

extension VirtualTable.Cursor {
  public func column(
    _ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult
  ) throws {
    result.set(try self.column(column))
  }
}

extension VirtualTable.WritableTable {
  public var omitsUnchangedValues: Bool { false }
}

extension VirtualTable {
  /// A virtual table that SQL can change. Each row has a rowid that identifies it.
  ///
  /// The values of a row include the values of hidden columns. A method that throws must leave the table unchanged. To
  /// report a violated constraint, throw ``SQLiteError`` with code ``SQLiteError/Code/constraint`` or one of its kinds:
  /// `INSERT OR IGNORE` then skips the row, and `OR FAIL` and `OR ROLLBACK` act as for other tables.
  ///
  /// ```swift
  /// extension Notes: VirtualTable.WritableTable {
  ///   func insert(
  ///     _ values: borrowing FunctionArguments, rowID: RowID?,
  ///     onConflict: VirtualTable.ConflictResolution
  ///   ) throws -> RowID {
  ///     let id = rowID?.rawValue ?? (notes.keys.max() ?? 0) + 1
  ///     guard notes[id] == nil || onConflict == .replace else {
  ///       throw SQLiteError(code: .constraintRowID, message: "there is a note \(id)")
  ///     }
  ///     notes[id] = values[0]
  ///     return RowID(rawValue: id)
  ///   }
  ///
  ///   func update(
  ///     _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
  ///     onConflict: VirtualTable.ConflictResolution
  ///   ) throws {
  ///     guard newRowID == rowID else {
  ///       throw SQLiteError(code: .constraintRowID, message: "a note keeps its number")
  ///     }
  ///     notes[rowID.rawValue] = values[0]
  ///   }
  ///
  ///   func delete(_ rowID: RowID) { notes[rowID.rawValue] = nil }
  /// }
  /// ```
  ///
  /// Changes are not rolled back unless the table conforms to ``TransactionalTable``.
  ///
  /// SQLite's hooks report only commits and rollbacks for virtual tables. A ``TransactionObserver`` is notified of the
  /// statement that writes the table, but not of the changed rows.
  public protocol WritableTable: Table {
    /// A Boolean value that indicates whether an `UPDATE` passes NULL for the columns that it does not change, rather
    /// than reading them with ``Cursor/column(_:)``. ``FunctionArguments/isUnchanged(_:)`` is then `true` for these
    /// columns. `false` by default.
    ///
    /// The property is read once, when the table is connected. SQLite may still pass the value of a column that does
    /// not change.
    var omitsUnchangedValues: Bool { get }

    /// Inserts a row.
    ///
    /// - Parameters:
    ///   - values: The values of all columns.
    ///   - rowID: The rowid that the statement specifies; `nil` if the table chooses one.
    ///   - onConflict: The statement's conflict resolution if the row violates a constraint. For
    ///     ``ConflictResolution/replace``, the table removes the conflicting rows.
    /// - Returns: The row's rowid.
    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?, onConflict: ConflictResolution
    ) throws -> RowID

    /// Changes a row.
    ///
    /// - Parameters:
    ///   - rowID: The row's rowid.
    ///   - newRowID: The row's new rowid, which is the same in most cases.
    ///   - values: The values of all columns, including unchanged ones.
    ///   - onConflict: The statement's conflict resolution: see ``insert(_:rowID:onConflict:)``.
    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: ConflictResolution
    ) throws

    /// Deletes a row.
    func delete(_ rowID: RowID) throws
  }

  /// The resolution of a constraint violation that a statement specifies: https://sqlite.org/lang_conflict.html
  public enum ConflictResolution: Hashable, Sendable, CaseIterable {
    case rollback, ignore, fail, abort, replace
  }

  /// A writable virtual table that takes part in transactions and savepoints.
  ///
  /// The simplest implementation copies the content in ``savepoint(_:)`` and restores the copy in
  /// ``rollback(toSavepoint:)``. SQLite opens an implicit savepoint for a statement that may fail halfway.
  public protocol TransactionalTable: WritableTable {
    /// Begins a transaction, before the first change in it.
    func begin() throws
    /// Prepares the commit. This is the last method that can make the commit fail.
    func sync() throws
    /// Commits the transaction's changes.
    func commit()
    /// Rolls back the transaction's changes.
    func rollback()
    /// Opens a savepoint. Inner savepoints have greater numbers than outer ones.
    func savepoint(_ number: Int) throws
    /// Releases a savepoint and all savepoints with greater numbers, and keeps their changes.
    func release(savepoint number: Int) throws
    /// Rolls back the changes since a savepoint, which stays open. Savepoints with greater numbers end.
    func rollback(toSavepoint number: Int) throws
  }
}
