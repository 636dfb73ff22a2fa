internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// A builder that creates a table from its definition.
struct TableBuilder {
  var table: Table
  private var definition: SQLSyntax.TableDefinition?
  /// The names of the columns.
  private var names: Set<NameKey>
  private var hasPrimaryKey = false
  /// Indicates whether a generated column in the primary key was already reported.
  private var hasGeneratedKey = false
  /// The conflict resolution of the keys over each list of columns.
  private var conflicts: [[Int?]: ConflictResolution] = [:]

  /// The maximum number of columns. See https://www.sqlite.org/limits.html.
  static let maximumColumnCount = 2_000

  init(_ table: Table) {
    self.table = table
    names = Set(table.columns.map(\.key))
  }

  mutating func build(_ node: SQLSyntax.TableDefinition, _ resolver: inout Resolver) {
    definition = node
    table.isStrict = node.isStrict
    for column in node.columns.prefix(Self.maximumColumnCount) { add(column, &resolver) }
    if node.columns.count > Self.maximumColumnCount {
      resolver.report(
        .invalidDefinition, at: node.columns[Self.maximumColumnCount].name.span,
        "too many columns on `\(table.name)`")
    } else {
      for constraint in node.constraints { add(constraint, &resolver) }
    }
    finish(node, &resolver)
  }

  /// Adds a column, which may have any constraint except a key.
  mutating func add(
    _ node: SQLSyntax.ColumnDefinition, _ resolver: inout Resolver
  ) {
    StepCounter.step()
    var column = Column(node)
    if !names.insert(column.key).inserted {
      resolver.report(
        .duplicateColumn, at: node.name.span, "duplicate column name: `\(node.name.text)`")
    }
    if table.isStrict { checkStrict(node, &column, &resolver) }
    resolver.checkIgnoredType(node)
    table.columns.append(column)
    let index = table.columns.count - 1
    for constraint in node.constraints {
      add(constraint, to: index, node, &resolver)
    }
    resolver.checkGenerated(node)
  }

  private func checkStrict(
    _ node: SQLSyntax.ColumnDefinition, _ column: inout Column, _ resolver: inout Resolver
  ) {
    guard let type = node.type, !type.words.isEmpty else {
      resolver.report(
        .strictType, at: node.span, "missing datatype for `\(table.name).\(column.name)`")
      return
    }
    guard type.arguments.isEmpty, let value = ValueType(strictType: type.name) else {
      resolver.report(
        .strictType, at: type.span,
        "unknown datatype for `\(table.name).\(column.name)`: \"\(type.name)\"")
      return
    }
    column.type = value
    if value == .any { column.affinity = .none }
  }

  private mutating func add(
    _ constraint: ColumnConstraint, to index: Int, _ node: SQLSyntax.ColumnDefinition,
    _ resolver: inout Resolver
  ) {
    switch constraint.kind {
    case .primaryKey(let direction, let conflict, let isAutoincrement):
      addPrimaryKey(
        [UniqueKey.Part(column: index, collation: "")], isDescending: direction == .descending,
        isAutoincrement: isAutoincrement, at: constraint.span, &resolver)
      recordConflict(conflict)
    case .notNull(let conflict):
      table.columns[index].isNotNull = true
      recordConflict(conflict)
    case .unique(let conflict):
      addUnique(
        [UniqueKey.Part(column: index, collation: "")], conflict, at: constraint.span, &resolver)
    case .collate(let name):
      resolver.checkCollation(name)
      table.columns[index].collation = name.text
    case .references(let reference):
      if reference.columns.count > 1 {
        resolver.report(
          .foreignKey, at: reference.span,
          "foreign key on \(node.name.text) should reference only one column of table "
            + "`\(reference.table.text)`")
      }
      table.foreignKeys.append(ForeignKey([node.name], reference))
    case .default(let value):
      checkDefault(value, node.name.text, &resolver)
      table.columns[index].hasDefault = !value.isNull
      if case .expression(let expression) = value {
        table.columns[index].unknownDefaultFunction =
          expression.unknownFunction(in: resolver.catalog.functions)
      }
    case .generated: table.columns[index].isGenerated = true
    case .null, .check, .deferral, .nameOnly: break
    }
  }

  private mutating func addUnique(
    _ parts: [UniqueKey.Part], _ conflict: ConflictResolution?, at span: ByteSpan,
    _ resolver: inout Resolver
  ) {
    let columns = parts.map(\.column)
    if let conflict, let other = conflicts[columns], other != conflict {
      resolver.report(
        .invalidDefinition, at: span, "conflicting ON CONFLICT clauses specified")
    }
    if let conflict { conflicts[columns] = conflict }
    table.keys.append(UniqueKey(parts: parts))
    recordConflict(conflict)
  }

  private mutating func recordConflict(_ conflict: ConflictResolution?) {
    if conflict == .ignore { table.ignoresConflicts = true }
  }

  private func checkDefault(
    _ value: DefaultValue, _ name: String, _ resolver: inout Resolver
  ) {
    guard case .expression(let expression) = value else { return }
    if !expression.isConstantDefault {
      resolver.report(
        .nonConstantDefault, at: expression.span,
        "default value of column [\(name)] is not constant")
    } else if let parameter = expression.firstParameter {
      resolver.report(
        .nonConstantDefault, at: parameter,
        "default value of column [\(name)] is not constant")
    }
  }

  private mutating func add(_ constraint: TableConstraint, _ resolver: inout Resolver) {
    switch constraint.kind {
    case .primaryKey(let terms, let isAutoincrement, let conflict):
      addPrimaryKey(
        parts(terms, &resolver), isDescending: false, isAutoincrement: isAutoincrement,
        at: constraint.span, &resolver)
      recordConflict(conflict)
    case .unique(let terms, let conflict):
      addUnique(parts(terms, &resolver), conflict, at: constraint.span, &resolver)
    case .foreignKey(let columns, let reference):
      if !reference.columns.isEmpty, reference.columns.count != columns.count {
        resolver.report(
          .foreignKey, at: reference.span,
          "number of columns in foreign key does not match the number of columns in the "
            + "referenced table")
      }
      for column in columns where table.index(of: NameKey(column.text)) == nil {
        resolver.reportUnknown(
          .foreignKey, "column in foreign key definition", column.text, at: column.span,
          candidates: table.columns.map(\.name))
      }
      table.foreignKeys.append(ForeignKey(columns, reference))
    case .check, .nameOnly: break
    }
  }

  private func parts(
    _ terms: [OrderingTerm], _ resolver: inout Resolver
  ) -> [UniqueKey.Part] {
    terms.compactMap { term in
      if let nulls = term.nulls {
        resolver.report(
          .prohibitedHere, at: term.span, "unsupported use of \(nulls.rawValue)")
      }
      return resolver.keyPart(term.expression, of: table, allowsExpressions: false)
    }
  }

  private mutating func addPrimaryKey(
    _ parts: [UniqueKey.Part], isDescending: Bool, isAutoincrement: Bool, at span: ByteSpan,
    _ resolver: inout Resolver
  ) {
    guard !hasPrimaryKey else {
      resolver.report(
        .primaryKey, at: span, "table \"\(table.name)\" has more than one primary key")
      return
    }
    hasPrimaryKey = true
    let columns = parts.compactMap(\.column)
    for column in columns where table.columns[column].isGenerated {
      hasGeneratedKey = true
      resolver.report(
        .primaryKey, at: span, "generated columns cannot be part of the PRIMARY KEY")
    }
    var seen: Set<Int> = []
    table.primaryKey = columns.filter { seen.insert($0).inserted }
    if parts.count == 1, let column = columns.first, !isDescending,
      NameKey(table.columns[column].declaredType) == "integer",
      definition?.isWithoutRowID == false
    {
      table.rowIDAlias = column
    }
    if isAutoincrement {
      table.isAutoincrement = true
      if let column = columns.first, columns.count == 1, !isDescending,
        NameKey(table.columns[column].declaredType) == "integer"
      {
        if definition?.isWithoutRowID == true {
          resolver.report(
            .primaryKey, at: span, "AUTOINCREMENT not allowed on WITHOUT ROWID tables")
        }
      } else {
        resolver.report(
          .primaryKey, at: span, "AUTOINCREMENT is only allowed on an INTEGER PRIMARY KEY")
      }
    }
    table.keys.insert(UniqueKey(parts: parts, isPrimary: true), at: 0)
  }

  private mutating func finish(
    _ node: SQLSyntax.TableDefinition, _ resolver: inout Resolver
  ) {
    if node.isWithoutRowID {
      table.hasRowID = false
      if !hasPrimaryKey {
        resolver.report(
          .primaryKey, at: node.span, "PRIMARY KEY missing on table `\(table.name)`")
      }
    }
    for column in table.primaryKey
    where table.columns[column].isGenerated && !hasGeneratedKey {
      resolver.report(
        .primaryKey, at: node.columns[column].name.span,
        "generated columns cannot be part of the PRIMARY KEY")
    }
    if let alias = table.rowIDAlias { table.columns[alias].isNotNull = true }
    // For compatibility with old databases, the primary key of a rowid table may contain NULL,
    // unlike the primary key of a WITHOUT ROWID or STRICT table. See
    // https://www.sqlite.org/quirks.html.
    if node.isWithoutRowID || node.isStrict {
      for column in table.primaryKey { table.columns[column].isNotNull = true }
    }
    for key in table.keys.indices {
      for part in table.keys[key].parts.indices
      where table.keys[key].parts[part].collation.isEmpty {
        if let column = table.keys[key].parts[part].column {
          table.keys[key].parts[part].collation = table.columns[column].collation
        }
      }
    }
    if !table.columns.isEmpty, table.columns.allSatisfy(\.isGenerated) {
      resolver.report(
        .generatedColumn, at: node.span, "must have at least one non-generated column")
    }
    let computed = resolver.checkExpressions(of: node, table)
    let dependencies = Self.cyclicDependencies(computed)
    for column in dependencies.keys where table.columns[column].isGenerated {
      table.columns[column].isInGeneratedColumnLoop = isReachable(
        column, from: column, dependencies)
    }
    guard !table.isStrict else { return }
    for (column, expression) in computed {
      // A generated column applies its affinity to the computed value, and keeps values that can't
      // be converted.
      let declared = table.columns[column].type
      let fits =
        expression.type.map { declared == $0 || (declared.isNumber && $0.isInteger) } ?? true
      if !fits { table.columns[column].type = .any }
    }
  }

  /// Returns the columns on which each generated column depends, without the columns that
  /// certainly belong to no loop: those that only depend on columns outside of loops.
  private static func cyclicDependencies(_ computed: [Int: TypedExpression]) -> [Int: Set<Int>] {
    var dependencies: [Int: Set<Int>] = [:]
    var dependents: [Int: [Int]] = [:]
    for (column, expression) in computed {
      let used = Set(expression.columns.map(\.column)).filter { computed[$0] != nil }
      dependencies[column] = used
      for other in used { dependents[other, default: []].append(column) }
    }
    var resolved = dependencies.filter(\.value.isEmpty).map(\.key)
    while let column = resolved.popLast() {
      StepCounter.step()
      dependencies[column] = nil
      for other in dependents[column] ?? [] {
        dependencies[other]?.remove(column)
        if dependencies[other]?.isEmpty == true { resolved.append(other) }
      }
    }
    return dependencies
  }

  /// Returns whether a generated column depends on `target`, directly or indirectly.
  private func isReachable(
    _ target: Int, from start: Int, _ dependencies: [Int: Set<Int>]
  ) -> Bool {
    var open = [start]
    var seen: Set<Int> = []
    while let next = open.popLast() {
      for column in dependencies[next] ?? [] where seen.insert(column).inserted {
        if column == target { return true }
        open.append(column)
      }
    }
    return false
  }
}
