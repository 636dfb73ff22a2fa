import Primitives
import SQLiteCore

/// The steps that change one schema of PostgreSQL into another.
struct ServerDiff {
  struct Step {
    var kind: String
    var object: String
    var explanation: String
    var statements: [String]
    var losses: [String] = []
  }

  private(set) var steps: [Step] = []
  private let old: ServerCatalog
  private let new: ServerCatalog

  init(from old: ServerCatalog, to new: ServerCatalog) {
    (self.old, self.new) = (old, new)
    // A view, trigger or policy is dropped before the tables and functions that it uses change.
    dropObjects([.policy, .trigger, .view], includingChanged: true)
    createObjects([.type, .sequence, .function])
    for table in old.tables where new.table(table.name) == nil {
      add(
        "dropTable", table.name, "drop table \(table.name)",
        ["DROP TABLE \(old.qualified(table.name))"], losing: "all rows of \(table.name)")
    }
    let added = new.tables.filter { old.table($0.name) == nil }
    for table in added {
      add(
        "createTable", table.name, "create table \(table.name)",
        [renamed(new.creation(of: table))] + table.indexes.map { renamed($0.definition) })
    }
    for table in new.tables {
      if let before = old.table(table.name) { compare(before, table) }
    }
    for table in added {
      for key in table.constraints where key.kind == "f" { addConstraint(key, table) }
    }
    createObjects([.ownership, .view, .trigger, .policy])
    dropObjects([.function, .sequence, .type], includingChanged: false)
  }

  private mutating func add(
    _ kind: String, _ object: String, _ explanation: String, _ statements: [String],
    losing loss: String? = nil
  ) {
    steps.append(
      Step(
        kind: kind, object: object, explanation: explanation, statements: statements,
        losses: loss.map { [$0] } ?? []))
  }

  /// Returns a statement of the new schema with the name of the old one.
  private func renamed(_ sql: String) -> String {
    guard old.schema != new.schema else { return sql }
    return sql.replacing("\(SQLName.quoted(new.schema)).", with: "\(SQLName.quoted(old.schema)).")
      .replacing("\(new.schema).", with: "\(old.schema).")
  }

  private func objects(
    _ catalog: ServerCatalog, _ kinds: [ServerCatalog.Object.Kind]
  ) -> [ServerCatalog.Object] {
    kinds.flatMap { kind in catalog.objects.filter { $0.kind == kind } }
  }

  /// Returns the same object of another catalog.
  private func counterpart(
    of object: ServerCatalog.Object, in catalog: ServerCatalog
  ) -> ServerCatalog.Object? {
    // Functions of one name differ in their parameters, and other objects in their table.
    func heading(_ object: ServerCatalog.Object) -> String {
      object.kind == .function ? renamed(String(object.sql.prefix { $0 != "\n" })) : ""
    }
    return catalog.objects.first {
      $0.kind == object.kind && $0.name == object.name && $0.table == object.table
        && heading($0) == heading(object)
    }
  }

  private mutating func dropObjects(
    _ kinds: [ServerCatalog.Object.Kind], includingChanged: Bool
  ) {
    for object in objects(old, kinds).reversed() {
      let same = counterpart(of: object, in: new)
      if let same, !includingChanged || renamed(same.sql) == object.sql { continue }
      // The sequence of a column is dropped with it.
      if object.kind == .sequence,
        old.objects.contains(where: { $0.kind == .ownership && $0.name == object.name })
      {
        continue
      }
      let name = old.qualified(object.name)
      let drop =
        switch object.kind {
        case .trigger, .policy:
          "DROP \(object.kind.rawValue.uppercased()) \(SQLName.quoted(object.name)) ON "
            + old.qualified(object.table ?? "")
        case .view where object.sql.hasPrefix("CREATE MATERIALIZED"):
          "DROP MATERIALIZED VIEW \(name)"
        case .type where object.sql.hasPrefix("CREATE DOMAIN"): "DROP DOMAIN \(name)"
        default: "DROP \(object.kind.rawValue.uppercased()) \(name)"
        }
      add("drop", object.name, "drop \(object.kind.rawValue) \(object.name)", [drop])
    }
  }

  private mutating func createObjects(_ kinds: [ServerCatalog.Object.Kind]) {
    for object in objects(new, kinds) {
      let same = counterpart(of: object, in: old)
      let sql = renamed(object.sql)
      guard same?.sql != sql else { continue }
      // The function's statement replaces it.
      let isReplaced = same != nil && (object.kind == .type || object.kind == .sequence)
      let drop =
        object.sql.hasPrefix("CREATE DOMAIN") ? "DOMAIN" : object.kind.rawValue.uppercased()
      add(
        same == nil ? "create" : "change", object.name,
        "\(same == nil ? "create" : "change") \(object.kind.rawValue) \(object.name)",
        (isReplaced ? ["DROP \(drop) \(old.qualified(object.name))"] : []) + [sql])
    }
  }

  // MARK: One table

  private mutating func compare(_ before: ServerCatalog.Table, _ after: ServerCatalog.Table) {
    let name = before.name
    let alter = "ALTER TABLE \(old.qualified(name))"
    // Constraints are equal if they have the same definition, also with different names.
    func definitions(_ table: ServerCatalog.Table) -> Set<String> {
      Set(table.constraints.map { renamed($0.definition) })
    }
    let (oldDefinitions, newDefinitions) = (definitions(before), definitions(after))
    for constraint in before.constraints
    where !newDefinitions.contains(renamed(constraint.definition)) {
      add(
        "dropConstraint", name, "drop constraint \(constraint.name) of \(name)",
        ["\(alter) DROP CONSTRAINT \(SQLName.quoted(constraint.name))"])
    }
    for index in before.indexes
    where !after.indexes.contains(where: { renamed($0.definition) == index.definition }) {
      add(
        "dropIndex", index.name, "drop index \(index.name)",
        ["DROP INDEX \(old.qualified(index.name))"])
    }
    for column in before.columns where !after.columns.contains(where: { $0.name == column.name }) {
      add(
        "dropColumn", name, "drop column \(column.name) of \(name)",
        ["\(alter) DROP COLUMN \(SQLName.quoted(column.name))"],
        losing: "the values of \(name).\(column.name)")
    }
    for column in after.columns {
      if let same = before.columns.first(where: { $0.name == column.name }) {
        compare(same, column, of: name, alter)
      } else {
        add(
          "addColumn", name, "add column \(column.name) to \(name)",
          ["\(alter) ADD COLUMN \(SQLName.quoted(column.name)) \(renamed(column.definition))"])
      }
    }
    for constraint in after.constraints
    where !oldDefinitions.contains(renamed(constraint.definition)) {
      addConstraint(constraint, after)
    }
    for index in after.indexes
    where !before.indexes.contains(where: { $0.definition == renamed(index.definition) }) {
      add("createIndex", index.name, "create index \(index.name)", [renamed(index.definition)])
    }
  }

  private mutating func addConstraint(
    _ constraint: ServerCatalog.Constraint, _ table: ServerCatalog.Table
  ) {
    add(
      "addConstraint", table.name, "add constraint \(constraint.name) to \(table.name)",
      [renamed(constraint.addition(to: table, in: new))])
  }

  private mutating func compare(
    _ before: ServerCatalog.Column, _ after: ServerCatalog.Column, of table: String,
    _ alter: String
  ) {
    let column = SQLName.quoted(after.name)
    var changes: [String] = []
    var loss: String?
    if before.isGenerated != after.isGenerated
      || after.isGenerated && before.expression != after.expression
    {
      changes = ["DROP COLUMN \(column)", "ADD COLUMN \(column) \(renamed(after.definition))"]
      loss = before.isGenerated ? nil : "the values of \(table).\(after.name)"
    } else {
      let type = renamed(after.type) + (after.collation.map { " COLLATE \($0)" } ?? "")
      if before.type != renamed(after.type) || before.collation != after.collation {
        if before.expression != nil { changes.append("ALTER COLUMN \(column) DROP DEFAULT") }
        changes.append(
          "ALTER COLUMN \(column) TYPE \(type) USING \(column)::\(renamed(after.type))")
        if before.expression != nil, before.expression == after.expression,
          let value = after.expression
        {
          changes.append("ALTER COLUMN \(column) SET DEFAULT \(renamed(value))")
        }
      }
      if before.expression != after.expression.map(renamed) {
        changes.append(
          after.expression.map { "ALTER COLUMN \(column) SET DEFAULT \(renamed($0))" }
            ?? "ALTER COLUMN \(column) DROP DEFAULT")
      }
      if before.isNotNull != after.isNotNull {
        changes.append("ALTER COLUMN \(column) \(after.isNotNull ? "SET" : "DROP") NOT NULL")
      }
      if before.identity != after.identity {
        let word = after.identity == "a" ? "ALWAYS" : "BY DEFAULT"
        if after.identity.isEmpty {
          changes.append("ALTER COLUMN \(column) DROP IDENTITY")
        } else if before.identity.isEmpty {
          changes.append("ALTER COLUMN \(column) ADD GENERATED \(word) AS IDENTITY")
        } else {
          changes.append("ALTER COLUMN \(column) SET GENERATED \(word)")
        }
      }
    }
    guard !changes.isEmpty else { return }
    add(
      "changeColumn", table, "change column \(after.name) of \(table)",
      changes.map { "\(alter) \($0)" }, losing: loss)
  }

  /// The steps as a script with a comment before each.
  var text: String {
    steps.map { step in
      let losses = step.losses.map { "-- loses \($0)\n" }.joined()
      return "-- \(step.explanation)\n\(losses)"
        + step.statements.map { "\($0);\n" }.joined()
    }.joined(separator: "\n")
  }
}

extension ServerCatalog {
  /// Describes tables as they are created in PostgreSQL.
  init(_ portable: PortableSchema, schema: String) {
    self.schema = schema
    tables = portable.tables.map { source in
      var table = Table(id: 0, name: source.name)
      table.columns = source.columns.map { column in
        Column(
          name: column.name, type: column.type.postgreSQLName, isNotNull: column.isNotNull,
          expression: column.generated?.sql(forPostgreSQL: true)
            ?? column.defaultValue?.postgreSQLSQL(column.type),
          identity: column.isIdentity ? "d" : "", isGenerated: column.generated != nil,
          comparesBytes: true, ownsSequence: false)
      }
      func add(_ kind: String, _ name: String?, _ definition: String) {
        let suffix = ["p": "pkey", "u": "key", "c": "check", "f": "fkey"][kind] ?? ""
        let number = table.constraints.count { $0.kind == kind }
        table.constraints.append(
          Constraint(
            name: name ?? "\(source.name)_\(suffix)\(number == 0 ? "" : "\(number)")", kind: kind,
            definition: definition, columns: [], parentColumns: [], onUpdate: "", onDelete: "",
            matchesFully: false, isDeferrable: false, isDeferred: false))
      }
      if !source.primaryKey.isEmpty {
        add("p", nil, "PRIMARY KEY (\(PortableTable.list(source.primaryKey)))")
      }
      for unique in source.uniques {
        add("u", unique.name, "UNIQUE (\(PortableTable.list(unique.columns)))")
      }
      for check in source.checks {
        add("c", check.name, "CHECK (\(check.expression.sql(forPostgreSQL: true)))")
      }
      for key in source.foreignKeys {
        add("f", key.name, key.sql(parent: PortableTable.qualified(key.parent, schema)))
      }
      table.indexes = source.indexes.map { index in
        Index(
          name: index.name,
          definition: index.sql(PortableTable.qualified(source.name, schema), forPostgreSQL: true),
          isUnique: index.isUnique, method: "btree", keys: [], hasOtherParts: false)
      }
      return table
    }
  }
}
