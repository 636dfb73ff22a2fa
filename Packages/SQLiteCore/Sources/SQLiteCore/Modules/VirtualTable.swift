public import Primitives

/// Virtual tables that are implemented in Swift: tables whose rows code computes or stores.
///
/// A ``Module`` is registered on a connection by a name and connects tables. A ``Table`` declares its columns,
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
/// An error that one of their methods throws fails the statement: a ``SQLiteError`` with its code and message, any other
/// error with its description. SQLite calls the methods in the middle of its work, on the thread that uses the
/// connection. They may run statements of their own on the connection, but must not close it, reset the statement
/// that calls them, or register modules. A module that refers to its connection does so weakly, because the
/// connection keeps its modules.
///
/// See also https://sqlite.org/vtab.html.
public enum VirtualTable {
  /// A factory of virtual tables, registered by ``Connection/register(module:as:options:)``.
  ///
  /// The connection keeps the module until the module is replaced or unregistered, or the connection is closed. A
  /// connected table and a compiled statement keep the module as well. SQLite releases some tables as late as it
  /// compiles the next statement.
  public protocol Module {
    associatedtype Table: VirtualTable.Table

    /// How SQL refers to the module's tables: ``ModuleKind/eponymousOnly`` by default.
    var kind: ModuleKind { get }

    /// Connects a table that exists: an eponymous one, or one that the schema of the database has.
    ///
    /// SQLite calls this once for each connection that uses the table, when a statement first refers to it.
    ///
    /// - Parameters:
    ///   - table: The table's schema and name. The name of an eponymous table is the module's.
    ///   - arguments: The arguments of `CREATE VIRTUAL TABLE … USING module(arguments)`, as the statement spells
    ///     them, without surrounding space. An eponymous table has none.
    func connect(_ table: TableName, arguments: [String]) throws -> Table

    /// Creates a table for `CREATE VIRTUAL TABLE`. By default it is connected like one that exists.
    ///
    /// SQLite calls this for modules of the kind ``ModuleKind/created`` only.
    func create(_ table: TableName, arguments: [String]) throws -> Table
  }

  /// How SQL refers to the tables of a module.
  public enum ModuleKind: Hashable, Sendable, CaseIterable {
    /// The module is one table, which has the module's name: a table-valued function. `CREATE VIRTUAL TABLE`
    /// can't name the module.
    case eponymousOnly
    /// The module is a table of its name, and `CREATE VIRTUAL TABLE` makes others. All are connected by
    /// ``Module/connect(_:arguments:)``.
    case eponymous
    /// Tables exist after `CREATE VIRTUAL TABLE` only, until `DROP TABLE`. The schema of the database stores
    /// them, so that each connection to it needs the module.
    case created
  }

  /// A virtual table as one connection has it, until the connection disconnects it.
  ///
  /// Conform to ``WritableTable`` for a table that SQL may change.
  public protocol Table: AnyObject {
    associatedtype Cursor: VirtualTable.Cursor

    /// The table's columns. SQLite reads them once, when the table is connected.
    var columns: [Column] { get }

    /// Chooses how a query is answered.
    ///
    /// SQLite may call this several times for one query, with different constraints usable, and takes the plan of
    /// the lowest cost.
    ///
    /// - Returns: The plan; `nil` if the table can't answer the query with the usable constraints. If no other
    ///   order of the query's tables has a plan, preparing the statement fails with the message "no query solution".
    func bestIndex(_ info: IndexInfo) throws -> Plan?

    /// Opens a cursor, which is before any row until ``Cursor/filter(indexNumber:indexString:_:)``.
    func open() throws -> Cursor

    /// Removes what the table stores, for `DROP TABLE`. By default there is nothing to remove.
    ///
    /// If it throws, the table is not dropped.
    func destroy() throws
  }

  /// A column of a virtual table.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public var name: String
    /// How SQLite compares the column's values. Values are not converted when they are written.
    public var affinity: ColumnAffinity
    /// Whether `SELECT *` leaves the column out. In a table-valued function the hidden columns are the arguments,
    /// in their order.
    public var isHidden: Bool

    public init(_ name: String, affinity: ColumnAffinity = .blob, isHidden: Bool = false) {
      self.name = name
      self.affinity = affinity
      self.isHidden = isHidden
    }
  }

  /// The rows of a virtual table that answer one query, one after the other.
  public protocol Cursor {
    /// Begins a query, or begins the cursor's query anew with other arguments, and goes to the first row.
    ///
    /// - Parameters:
    ///   - indexNumber: ``Plan/indexNumber`` of the plan that SQLite took.
    ///   - indexString: ``Plan/indexString`` of that plan.
    ///   - arguments: The values that the plan's constraints compare with, in the order in which the plan uses
    ///     them.
    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) throws

    /// Goes to the next row, or past the last one.
    mutating func next() throws

    /// Whether the cursor is past the last row.
    var isAtEnd: Bool { get }

    /// The value of a column of the current row.
    func column(_ column: ColumnIndex) throws -> SQLiteValue

    /// The rowid of the current row. In a table that SQL changes, it identifies the row.
    func rowID() throws -> RowID
  }
}

extension VirtualTable.Module {
  public var kind: VirtualTable.ModuleKind { .eponymousOnly }

  public func create(_ table: TableName, arguments: [String]) throws -> Table {
    try connect(table, arguments: arguments)
  }
}

extension VirtualTable.Table {
  public func destroy() throws {}
}

extension VirtualTable {
  /// A virtual table that SQL may change. Each row has a rowid that identifies it.
  ///
  /// The values of a row are those of all columns, hidden ones included. A method that throws must leave the table
  /// as it was. To report a violated constraint, throw ``SQLiteError`` with code ``SQLiteError/Code/constraint`` or
  /// one of its kinds: `INSERT OR IGNORE` then skips the row, `OR FAIL` and `OR ROLLBACK` act as for other tables.
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
  /// Without ``TransactionalTable``, no rollback undoes the changes.
  ///
  /// SQLite reports changes of virtual tables to no hook but commits and rollbacks: a ``TransactionObserver`` is
  /// asked about the statement that writes the table, and receives none of the rows.
  public protocol WritableTable: Table {
    /// Inserts a row.
    ///
    /// - Parameters:
    ///   - values: The values of all columns.
    ///   - rowID: The rowid that the statement asks for; `nil` if the table chooses one.
    ///   - onConflict: What the statement asks for if the row violates a constraint. With
    ///     ``ConflictResolution/replace``, the table removes the rows that are in the way.
    /// - Returns: The rowid of the row.
    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?, onConflict: ConflictResolution
    ) throws -> RowID

    /// Changes a row.
    ///
    /// - Parameters:
    ///   - rowID: The row's rowid.
    ///   - newRowID: The rowid that the row has from now on, in most cases the same.
    ///   - values: The values of all columns, those that do not change included.
    ///   - onConflict: As for ``insert(_:rowID:onConflict:)``.
    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: ConflictResolution
    ) throws

    /// Deletes a row.
    func delete(_ rowID: RowID) throws
  }

  /// What a statement asks for if a row violates a constraint: https://sqlite.org/lang_conflict.html
  public enum ConflictResolution: Hashable, Sendable, CaseIterable {
    case rollback, ignore, fail, abort, replace
  }

  /// A writable virtual table that takes part in transactions and savepoints.
  ///
  /// The simplest way to conform is to copy the content in ``savepoint(_:)`` and to take the copy back in
  /// ``rollback(toSavepoint:)``. SQLite opens a savepoint of its own for a statement that may fail halfway.
  public protocol TransactionalTable: WritableTable {
    /// Begins a transaction, before the first change in it.
    func begin() throws
    /// Prepares the commit. This is the last method that may fail it.
    func sync() throws
    /// Makes the changes of the transaction permanent.
    func commit()
    /// Undoes the changes of the transaction.
    func rollback()
    /// Opens a savepoint. Numbers grow from outer savepoints to inner ones.
    func savepoint(_ number: Int) throws
    /// Ends a savepoint and those of greater numbers, and keeps their changes.
    func release(savepoint number: Int) throws
    /// Undoes the changes since a savepoint, which stays open. Those of greater numbers end.
    func rollback(toSavepoint number: Int) throws
  }
}
