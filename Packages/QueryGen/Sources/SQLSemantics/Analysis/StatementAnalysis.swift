public import QueryModel

/// What SQLite's interface tells of a prepared statement, and what it does not: types.
public struct StatementAnalysis: Hashable, Sendable {
  /// A column of the result.
  public struct Column: Hashable, Sendable {
    /// The name as `sqlite3_column_name` gives it.
    public var name: String
    public var type: ValueType
    public var isNullable: Bool
    /// The table and column that it comes from unchanged, where it does.
    public var table: String?
    public var column: String?
  }

  /// A parameter.
  public struct Parameter: Hashable, Sendable {
    /// Its number, counting from 1.
    public var index: Int
    /// Its name with its first character, or its number as `?5`; `nil` for a bare `?`.
    public var name: String?
    public var type: ValueType
    public var isNullable: Bool
  }

  public var columns: [Column]
  /// The parameters that are used, by number.
  public var parameters: [Parameter]
  /// The largest number: what `sqlite3_bind_parameter_count` gives.
  public var parameterCount: Int
  /// How many rows it gives.
  public var cardinality: Cardinality
  public var isReadOnly: Bool

  public init(
    columns: [Column], parameters: [Parameter], parameterCount: Int, cardinality: Cardinality,
    isReadOnly: Bool
  ) {
    self.columns = columns
    self.parameters = parameters
    self.parameterCount = parameterCount
    self.cardinality = cardinality
    self.isReadOnly = isReadOnly
  }
}
