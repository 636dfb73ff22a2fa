internal import SQLSyntax

/// A change of the schema by a valid statement.
enum SchemaChange: Sendable {
  case addTable(Table)
  case replaceTable(Table)
  case removeTable(NameKey, database: NameKey)
  /// A new index and, for a unique index, its key.
  case addIndex(Index, key: UniqueKey?, database: NameKey)
  case removeIndex(NameKey, database: NameKey)
  case addTrigger(Trigger)
  case removeTrigger(NameKey, database: NameKey)
  case attach(NameKey)
  case detach(NameKey)
  case analyze(database: NameKey)
  /// Sets whether a rename leaves broken references unchanged.
  case setLegacyAlterTable(Bool)
  /// Replaces all schemas, after a rename.
  case replaceDatabases([Catalog.Database])
  case begin
  case commit
  case rollback
  case savepoint(NameKey)
  case release(NameKey)
  case rollbackTo(NameKey)
}

extension Catalog {
  mutating func perform(_ change: SchemaChange) {
    switch change {
    case .addTable(let table):
      let isAutoincrement = table.isAutoincrement
      _ = update(table.database) { database in
        database.tables[NameKey(table.name)] = table
        if isAutoincrement, database.tables["sqlite_sequence"] == nil {
          database.tables["sqlite_sequence"] = Self.sequenceTable(in: database.name)
        }
      }
    case .replaceTable(let table):
      _ = update(table.database) { $0.tables[NameKey(table.name)] = table }
    case .removeTable(let name, let database):
      for index in databases.indices {
        let dropped = databases[index].triggers.filter {
          $0.value.table == name && $0.value.database == database
        }
        for trigger in dropped.keys { databases[index].triggers[trigger] = nil }
      }
      _ = update(database) { database in
        database.tables[name] = nil
        let dropped = database.indexes.filter { $0.value.table == name }
        for index in dropped.keys { database.indexes[index] = nil }
      }
    case .addIndex(let index, let key, let database):
      _ = update(database) { database in
        database.indexes[NameKey(index.name)] = index
        if let key { database.tables[index.table]?.keys.append(key) }
      }
    case .removeIndex(let name, let database):
      _ = update(database) { database in
        guard let index = database.indexes.removeValue(forKey: name) else { return }
        database.tables[index.table]?.keys.removeAll { $0.index == name }
      }
    case .addTrigger(let trigger):
      _ = update(trigger.home) { $0.triggers[NameKey(trigger.name)] = trigger }
    case .removeTrigger(let name, let database):
      _ = update(database) { $0.triggers[name] = nil }
    case .attach(let name):
      if databaseIndex(name) == nil { databases.append(Database(name: name)) }
    case .detach(let name): databases.removeAll { $0.name == name }
    case .analyze(let name):
      _ = update(name) { database in
        if database.tables["sqlite_stat1"] == nil {
          database.tables["sqlite_stat1"] = Self.statisticsTable(in: name)
        }
      }
    case .setLegacyAlterTable(let isLegacy): isLegacyAlterTable = isLegacy
    case .replaceDatabases(let databases): self.databases = databases
    case .begin:
      if transactionSnapshots.isEmpty {
        transactionSnapshots = [TransactionSnapshot(name: nil, databases: databases)]
      }
    case .commit: transactionSnapshots = []
    case .rollback:
      if let first = transactionSnapshots.first { databases = first.databases }
      transactionSnapshots = []
    case .savepoint(let name):
      transactionSnapshots.append(TransactionSnapshot(name: name, databases: databases))
    case .release(let name):
      guard let index = transactionSnapshots.lastIndex(where: { $0.name == name }) else { return }
      transactionSnapshots.removeSubrange(index...)
    case .rollbackTo(let name):
      guard let index = transactionSnapshots.lastIndex(where: { $0.name == name }) else { return }
      databases = transactionSnapshots[index].databases
      transactionSnapshots.removeSubrange((index + 1)...)
    }
  }
}
