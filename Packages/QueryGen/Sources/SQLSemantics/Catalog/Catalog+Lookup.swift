public import QueryModel
public import SQLSyntax

/// A description of a function, for editors.
public struct FunctionDescription: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    case scalar = "function"
    case aggregate = "aggregate function"
    case window = "window function"
  }

  /// The name, in lowercase.
  public var name: String
  public var kind: Kind
  public var minimumArguments: Int
  /// The maximum number of arguments; `nil` if there is none.
  public var maximumArguments: Int?
  /// The type of the result, unless it depends on the arguments.
  public var type: ValueType?
  /// The SQLite release that introduced the function; `nil` if all supported releases have it.
  public var since: SQLiteVersion?
  /// The names of the parameters of a declared function.
  public var parameterNames: [String] = []
  /// Indicates whether the function is declared, rather than built into SQLite.
  public var isDeclared = false
  /// The comment above the declaration, if there is one.
  public var documentation: String?

  /// A call of the function, such as `substr(x, y[, z])`.
  public var signature: String {
    let letters = ["x", "y", "z", "u", "v", "w"]
    func argument(_ index: Int) -> String {
      if index < parameterNames.count { return parameterNames[index] }
      return index < letters.count ? letters[index] : "x\(index + 1)"
    }
    var text = (0..<minimumArguments).map(argument).joined(separator: ", ")
    guard let maximumArguments else {
      return "\(name)(\(text.isEmpty ? "…" : text + ", …"))"
    }
    for index in minimumArguments..<max(minimumArguments, maximumArguments) {
      text += index == 0 ? "[\(argument(index))]" : "[, \(argument(index))]"
    }
    return "\(name)(\(text))"
  }
}

/// A foreign key of the schema.
public struct ForeignKeyDescription: Hashable, Sendable {
  public var table: String
  public var columns: [String]
  public var parent: String
  public var parentColumns: [String]
}

extension Catalog {
  /// The available functions, sorted by name.
  public var functionDescriptions: [FunctionDescription] {
    functions.available.filter { $0.name.first?.isLetter ?? false }
      .map(FunctionDescription.init)
      .sorted { ($0.name, $0.minimumArguments) < ($1.name, $1.minimumArguments) }
  }

  /// The available functions with the given name.
  public func functionDescriptions(named name: String) -> [FunctionDescription] {
    let key = NameKey(name).folded
    return functionDescriptions.filter { $0.name == key }
  }

  /// The names of the collations.
  public var collationNames: [String] { collations.map { $0.folded.uppercased() }.sorted() }

  /// The foreign keys of all tables whose parents exist, sorted by table.
  public var foreignKeys: [ForeignKeyDescription] {
    databases.flatMap { database in
      database.tables.values.flatMap { table in
        table.foreignKeys.compactMap { key -> ForeignKeyDescription? in
          guard let parent = database.tables[key.parent] else { return nil }
          let columns = key.columns.compactMap { name in
            table.columns.first { $0.key == name }?.name
          }
          let parentColumns =
            key.parentColumns.isEmpty
            ? parent.primaryKey.map { parent.columns[$0].name }
            : key.parentColumns.compactMap { name in
              parent.columns.first { $0.key == name }?.name
            }
          guard columns.count == parentColumns.count, !columns.isEmpty else { return nil }
          return ForeignKeyDescription(
            table: table.modelName, columns: columns, parent: parent.modelName,
            parentColumns: parentColumns)
        }
      }
    }.sorted {
      ($0.table, $0.columns.joined(separator: " "), $0.parent)
        < ($1.table, $1.columns.joined(separator: " "), $1.parent)
    }
  }

  /// Returns the columns of a table, view or table-valued function as its definition declares them,
  /// including hidden ones; `nil` if there is no such table. The name may contain a schema.
  public func columnNames(of table: String) -> [String]? {
    let parts = table.split(separator: ".", maxSplits: 1)
    let qualified =
      parts.count == 2 ? self.table(NameKey(parts[1]), in: NameKey(parts[0])) : nil
    return (qualified ?? self.table(NameKey(table), in: nil))?.columns.map(\.name)
  }

  /// The names of the attached databases, in order.
  public var attachedNames: [String] {
    databases.map(\.name).filter { $0 != "main" && $0 != "temp" }.map(\.folded)
  }

  /// Returns whether a name can be given to a new table, view or index.
  public func isNameTaken(_ name: String) -> Bool {
    let key = NameKey(name)
    return databases.contains { $0.tables[key] != nil || $0.indexes[key] != nil }
  }

  /// The names of the table-valued functions.
  public var tableFunctionNames: [String] {
    ["json_each", "json_tree"] + declarations.modules.filter { $0.kind != .created }.map(\.name)
  }
}

extension FunctionDescription {
  fileprivate init(_ function: FunctionSignature) {
    let (minimum, maximum): (Int, Int?) =
      switch function.arity {
      case .exactly(let count): (count, count)
      case .between(let low, let high): (low, high)
      case .atLeast(let low): (low, nil)
      }
    let kind: Kind =
      switch function.kind {
      case .scalar: .scalar
      case .aggregate: .aggregate
      case .window: .window
      }
    var type: ValueType?
    switch function.type {
    case .fixed(let fixed): type = fixed
    case .document, .replacement: type = .text
    default: break
    }
    self.init(
      name: function.name, kind: kind, minimumArguments: minimum, maximumArguments: maximum,
      type: type, since: function.since > .standard ? function.since : nil,
      parameterNames: function.declaration?.parameters.map(\.column.name) ?? [],
      isDeclared: function.declaration != nil,
      documentation: function.declaration?.documentation)
  }
}
