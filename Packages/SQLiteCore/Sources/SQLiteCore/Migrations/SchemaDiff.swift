/// The steps from one schema to another, as a proposal for ``Connection/apply(_:allowing:progress:)``.
///
/// ```swift
/// let wanted = try DatabaseSchema(sql: script)
/// let diff = try SchemaDiff(from: connection.databaseSchema(), to: wanted)
/// print(diff)
/// try connection.apply(diff, allowing: [.column("nickname", of: "player")])
/// ```
///
/// Renamings are not guessed. A table or column with another name in `to` is dropped and created, which is reported as
/// a loss of data, unless the options declare the renaming.
///
/// The steps are tested on an empty in-memory copy of `from`, and result in `to`.
public struct SchemaDiff: Hashable, Sendable {
  /// Declarations that can't be derived from the two schemas.
  public struct Options: Sendable {
    /// The new names of renamed tables, by old name.
    public var renamedTables: [String: String] = [:]
    /// The new names of renamed columns, by old name, for each table. The table is specified by its new name.
    public var renamedColumns: [String: [String: String]] = [:]
    /// SQL expressions over the old rows that compute column values, by table and column: for a new column of existing
    /// rows, or to convert a column's values in a custom way.
    public var values: [String: [String: String]] = [:]
    /// Indicates whether the order of a table's columns may differ from `to`. Then a table is not rebuilt only to
    /// insert a column in the middle.
    public var ignoresColumnOrder = false
    /// Indicates whether tables, indexes, views and triggers that are not in `to` are kept.
    public var keepsOtherObjects = false
    /// The configuration of the in-memory copy. If the schema uses custom functions or collations, register them in
    /// ``Configuration/prepare``.
    public var configuration = Configuration()

    public init() {}
  }

  /// The steps, in an order in which they can be performed.
  public let steps: [Step]
  let source: DatabaseSchema
  /// The schema after the steps, as SQLite stores it.
  let result: DatabaseSchema

  /// Compares two schemas.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if a declared renaming does not fit the schemas;
  ///   the error of a statement that fails on the copy of `from`, for example if a broken view prevents a renaming.
  ///   Losing data is not an error here.
  /// - Complexity: Both schemas are created in memory.
  public init(
    from source: DatabaseSchema, to target: DatabaseSchema, options: Options = Options()
  ) throws {
    var planner = try SchemaPlanner(from: source, to: target, options: options)
    try planner.plan()
    steps = planner.steps
    self.source = source
    result = try planner.finalSchema()
  }

  /// Indicates whether there are no steps.
  public var isEmpty: Bool { steps.isEmpty }

  /// The steps that would lose data.
  public var destructiveSteps: [Step] { steps.filter(\.isDestructive) }

  /// All losses of data.
  public var losses: [DataLoss] { steps.flatMap(\.losses) }
}

extension SchemaDiff: CustomStringConvertible {
  /// The steps as a commented script for human readers.
  public var description: String { steps.map(\.description).joined(separator: "\n\n") }
}

extension SchemaDiff {
  /// A step of a schema change.
  public struct Step: Hashable, Sendable {
    /// The kind of a step.
    public enum Kind: Hashable, Sendable {
      case createTable, dropTable, renameTable, rebuildTable
      case addColumn, dropColumn, renameColumn
      case createIndex, dropIndex
      case createView, dropView
      case createTrigger, dropTrigger
    }

    /// The kind of the step.
    public let kind: Kind
    /// The name of the object that is created, dropped or changed. For changes of columns, the table's name.
    public let object: String
    /// The statements in order. A rebuild copies its rows in batches if its progress is observed.
    public let statements: [String]
    /// The data that the step would lose.
    public let losses: [DataLoss]
    /// A description of the step.
    public let explanation: String
    let action: Action

    /// The implementation of the step.
    enum Action: Hashable, Sendable {
      case statements([String])
      case rebuild(TableRebuild)
    }

    /// Indicates whether the step loses data.
    public var isDestructive: Bool { !losses.isEmpty }
  }
}

extension SchemaDiff.Step: CustomStringConvertible {
  /// The step as a commented script for human readers.
  public var description: String {
    let warning =
      losses.isEmpty ? "" : " LOSES \(losses.map(\.description).joined(separator: ", "))"
    let comment = (explanation + warning).onOneLine
    return (["-- \(comment)"] + statements.map { "\($0);" }).joined(separator: "\n")
  }
}

extension String {
  /// The text on one line for use in a comment, since names can contain line breaks.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension SchemaDiff {
  /// A loss of data by a schema change.
  public enum DataLoss: Hashable, Sendable, CustomStringConvertible {
    /// A table, with its rows.
    case table(String)
    /// A column, with its values.
    case column(String, of: String)
    /// Values of a column that change by the affinity of a new type: the text `'007'` becomes the number 7.
    case conversion(of: String, in: String)

    public var description: String {
      switch self {
      case .table(let name): "table \(name)"
      case .column(let name, let table): "column \(name) of \(table)"
      case .conversion(let name, let table): "values of column \(name) of \(table)"
      }
    }
  }
}

extension SchemaDiff {
  /// The data that a schema change may lose.
  public enum DataLossPolicy: Hashable, Sendable, ExpressibleByArrayLiteral {
    case nothing
    case only([DataLoss])
    case everything

    public init(arrayLiteral elements: DataLoss...) { self = .only(elements) }

    func allows(_ loss: DataLoss) -> Bool {
      switch self {
      case .nothing: false
      case .everything: true
      case .only(let losses):
        losses.contains { $0.description.isEqualIgnoringASCIICase(loss.description) }
      }
    }
  }
}
