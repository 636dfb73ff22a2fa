public import SQLSyntax

/// The schemas of a connection other than the database that it opens.
extension Catalog {
  /// Removes everything that the database does not store: temporary objects, attached databases and
  /// open transactions.
  public mutating func disconnect() {
    databases = [Database(name: "temp")] + databases.filter { $0.name == "main" }
    transactionSnapshots = []
    isLegacyAlterTable = false
  }

  /// Adds the schema of another database, as `ATTACH` does.
  ///
  /// - Parameters:
  ///   - other: The schema of the database, which is its `main`.
  ///   - name: The name of the schema. A schema with this name is replaced.
  /// - Returns: The views and triggers that name their own database `main`. SQLite can't read a
  ///   schema with such an object under another name.
  public mutating func attach(_ other: Catalog, as name: String) -> [BrokenObject] {
    guard var database = other[database: "main"] else { return [] }
    let key = NameKey(name)
    database.name = key
    for table in database.tables.keys { database.tables[table]?.database = key }
    database.triggers = database.triggers.mapValues { $0.moved(to: key) }
    databases.removeAll { $0.name == key }
    databases.append(database)
    return database.unreadableObjects
  }

  /// Returns whether a statement creates a temporary object.
  public func createsTemporaryObject(_ statement: Statement) -> Bool {
    func isTemporary(_ name: QualifiedName, _ hasKeyword: Bool) -> Bool {
      hasKeyword || name.schema.map { NameKey($0.text) } == "temp"
    }
    func isTemporary(_ name: QualifiedName, on table: Identifier) -> Bool {
      name.schema == nil && self[database: "temp"]?.tables[NameKey(table.text)] != nil
    }
    return switch statement {
    case .createTable(let node): isTemporary(node.name, node.isTemporary)
    case .createView(let node): isTemporary(node.name, node.isTemporary)
    case .createVirtualTable(let node): isTemporary(node.name, false)
    case .createIndex(let node):
      isTemporary(node.name, false) || isTemporary(node.name, on: node.table)
    case .createTrigger(let node):
      isTemporary(node.name, node.isTemporary) || isTemporary(node.name, on: node.table.name)
    default: false
    }
  }

  /// The names of the temporary tables and views, in lowercase.
  public var temporaryTableNames: Set<String> {
    Set((self[database: "temp"]?.tables ?? [:]).keys.map(\.folded))
  }

  /// Returns the temporary views and triggers that cannot be resolved.
  public func verifyTemporaryObjects() -> [BrokenObject] { brokenViewsAndTriggers(in: ["temp"]) }
}

extension Catalog.Database {
  /// The views and triggers that refer to another schema than this one by name.
  fileprivate var unreadableObjects: [Catalog.BrokenObject] {
    func fault(_ kind: String, _ name: String, _ tables: TableNameCollector) -> Catalog
      .BrokenObject?
    {
      tables.names.first { $0.schema.map { NameKey($0.text) != self.name } ?? false }.map { table in
        Catalog.BrokenObject(
          name: name, kind: kind,
          message: "\(kind) `\(name)` refers to `\(table.schema?.text ?? "").\(table.name.text)`")
      }
    }
    let views = tables.values.compactMap { table in
      if case .view(let stored) = table.kind {
        fault("view", table.name, TableNameCollector(stored.node.select))
      } else {
        nil
      }
    }
    let triggers = triggers.values.compactMap { trigger in
      let node = trigger.definition.node
      return fault("trigger", trigger.name, TableNameCollector(node.body, condition: node.when))
    }
    return (views + triggers).sorted { ($0.name, $0.kind) < ($1.name, $1.kind) }
  }
}

extension Trigger {
  /// Returns the trigger in a schema with another name.
  fileprivate func moved(to database: NameKey) -> Trigger {
    Trigger(
      name: name, table: table, database: database, home: database, definition: definition)
  }
}

extension NameKey {
  /// The name of one of this schema's tables in the model: with the schema, unless it is `main`.
  func qualifying(_ table: String) -> String { self == "main" ? table : "\(folded).\(table)" }
}

extension Table {
  /// The name in the model.
  var modelName: String { database.qualifying(name) }
}
