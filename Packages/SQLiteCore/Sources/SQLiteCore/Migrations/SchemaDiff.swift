/// The steps that lead from one schema to another: a proposal, until ``Connection/apply(_:allowing:progress:)``.
///
/// ```swift
/// let wanted = try DatabaseSchema(sql: script)
/// let diff = try SchemaDiff(from: connection.databaseSchema(), to: wanted)
/// print(diff)
/// try connection.apply(diff, allowing: [.column("nickname", of: "player")])
/// ```
///
/// Nothing is guessed. A table or column that has another name in `to` is dropped and made anew, which
/// loses its data and says so, unless the options declare that it was renamed.
///
/// The steps are tried on an empty copy of `from` in memory before they are proposed, and arrive at
/// `to`.
public struct SchemaDiff: Hashable, Sendable {
  /// What is declared of the change, since two schemas do not tell it.
  public struct Options: Sendable {
    /// New names of tables, by the old ones.
    public var renamedTables: [String: String] = [:]
    /// New names of columns, by the old ones, by the table: its new name where it has one.
    public var renamedColumns: [String: [String: String]] = [:]
    /// SQL over the old rows that gives columns their values, by table and column: for a new column
    /// of rows that exist, or for one whose values are to be converted in a way of its own.
    public var values: [String: [String: String]] = [:]
    /// Whether a table's columns may stay in another order than `to` has them in, which saves
    /// rebuilding it when a column is added in its middle.
    public var ignoresColumnOrder = false
    /// Whether tables, indexes, views and triggers that `to` lacks stay as they are.
    public var keepsOtherObjects = false
    /// How the copy in memory is opened: where the schema uses functions or collations of your own,
    /// ``Configuration/prepare`` adds them.
    public var configuration = Configuration()

    public init() {}
  }

  /// The steps, in an order in which they can be done.
  public let steps: [Step]
  let source: DatabaseSchema
  /// What the steps arrive at, as SQLite writes it down.
  let result: DatabaseSchema

  /// Compares two schemas.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` where a declared renaming does not
  ///   fit the schemas; of the statement where one can't be run on a copy of `from`: where a view
  ///   is broken that a renaming would have to follow, say. Losing data is no error here.
  /// - Complexity: Both schemas are made in memory.
  public init(
    from source: DatabaseSchema, to target: DatabaseSchema, options: Options = Options()
  ) throws {
    var planner = try SchemaPlanner(from: source, to: target, options: options)
    try planner.plan()
    steps = planner.steps
    self.source = source
    result = try planner.reached()
  }

  /// Whether there is nothing to do.
  public var isEmpty: Bool { steps.isEmpty }

  /// The steps that lose data.
  public var destructiveSteps: [Step] { steps.filter(\.isDestructive) }

  /// Everything that would be lost.
  public var losses: [DataLoss] { steps.flatMap(\.losses) }
}

extension SchemaDiff: CustomStringConvertible {
  /// The steps as a script with comments, to be read by a person.
  public var description: String { steps.map(\.description).joined(separator: "\n\n") }
}
