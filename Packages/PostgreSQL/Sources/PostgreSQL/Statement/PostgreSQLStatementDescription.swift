/// The parameters and columns of a statement, as the server infers them.
///
/// ```swift
/// let statement = try await connection.describe("SELECT title FROM book WHERE id = $1")
/// print(statement.parameterTypes == [.int4], statement.columns.map(\.name))  // true ["title"]
/// ```
public struct PostgreSQLStatementDescription: Hashable, Sendable {
  /// A column of the statement's rows.
  public struct Column: Hashable, Sendable {
    public var name: String
    /// The type. The type of a column of a domain is the domain's base type.
    public var type: PostgreSQLType
    /// The modifier of the type, such as the length of `varchar(8)` plus 4; `nil` if there is none.
    public var typeModifier: Int32?
    /// The table column whose values the column returns unchanged; `nil` if it is computed.
    public var origin: Origin?

    public init(
      name: String, type: PostgreSQLType, typeModifier: Int32? = nil, origin: Origin? = nil
    ) {
      self.name = name
      self.type = type
      self.typeModifier = typeModifier
      self.origin = origin
    }
  }

  /// A column of a table or a view.
  public struct Origin: Hashable, Sendable {
    /// The object identifier of the table: `pg_class.oid`.
    public var table: UInt32
    /// The number of the column: `pg_attribute.attnum`.
    public var column: Int

    public init(table: UInt32, column: Int) {
      self.table = table
      self.column = column
    }
  }

  /// The type of each parameter, from `$1` on.
  public var parameterTypes: [PostgreSQLType]
  /// The columns; empty if the statement returns no rows.
  public var columns: [Column]

  public init(parameterTypes: [PostgreSQLType], columns: [Column]) {
    self.parameterTypes = parameterTypes
    self.columns = columns
  }
}
