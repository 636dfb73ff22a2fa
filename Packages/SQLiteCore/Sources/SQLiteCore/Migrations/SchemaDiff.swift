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

extension SchemaDiff {
  /// One step from a schema to another.
  public struct Step: Hashable, Sendable {
    /// What a step does.
    public enum Kind: Hashable, Sendable {
      case createTable, dropTable, renameTable, rebuildTable
      case addColumn, dropColumn, renameColumn
      case createIndex, dropIndex
      case createView, dropView
      case createTrigger, dropTrigger
    }

    /// What it does.
    public let kind: Kind
    /// What is created, dropped or changed: a table's name for all that is done to its columns.
    public let object: String
    /// The statements, in their order. A rebuild copies its rows in parts while someone watches it.
    public let statements: [String]
    /// What the step loses, if it is let.
    public let losses: [DataLoss]
    /// The step in words.
    public let explanation: String
    let action: Action

    /// How the step is done.
    enum Action: Hashable, Sendable {
      case statements([String])
      case rebuild(TableRebuild)
    }

    /// Whether data is lost by it.
    public var isDestructive: Bool { !losses.isEmpty }
  }
}

extension SchemaDiff.Step: CustomStringConvertible {
  /// The step as a script with a comment, to be read by a person.
  public var description: String {
    let warning =
      losses.isEmpty ? "" : " LOSES \(losses.map(\.description).joined(separator: ", "))"
    let comment = (explanation + warning).onOneLine
    return (["-- \(comment)"] + statements.map { "\($0);" }).joined(separator: "\n")
  }
}

extension String {
  /// The text as one line, which a comment can hold: a name may have several.
  var onOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension SchemaDiff {
  /// Something that a change of the schema would lose.
  public enum DataLoss: Hashable, Sendable, CustomStringConvertible {
    /// A table, with its rows.
    case table(String)
    /// A column, with its values.
    case column(String, of: String)
    /// The values of a column that are no longer what they were once another type's affinity was
    /// applied to them: the text `'007'` becomes the number 7.
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
  /// What a change of the schema may lose.
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
