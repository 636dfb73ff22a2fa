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
