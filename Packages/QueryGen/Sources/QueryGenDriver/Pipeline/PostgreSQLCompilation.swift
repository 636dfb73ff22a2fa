internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// Compilation of projects for PostgreSQL, from the description of a server.
struct PostgreSQLCompilation: Sendable {
  private let description: PostgreSQLDescription?
  private let declared: Set<String>
  /// The command that updates the description.
  static let update = "run `querygen-postgresql generate --server postgres://…`"

  /// - Parameters:
  ///   - file: The description's file, if it exists.
  ///   - migrations: The migrations, in execution order.
  ///   - failures: The list to which the problems of the description as a whole are appended.
  init(
    _ file: InputFile?, path: String, migrations: [InputFile], failures: inout [FileFailure]
  ) {
    var description: PostgreSQLDescription?
    if let file {
      do {
        let read = try PostgreSQLDescription(json: file.source.bytes)
        if read.format != PostgreSQLDescription.currentFormat {
          failures.append(
            FileFailure(
              .staleDescription, path: path,
              message: "the file was written by another release of QueryGen; \(Self.update)"))
        } else if read.migrations != PostgreSQLDescription.hash(of: migrations) {
          failures.append(
            FileFailure(
              .staleDescription, path: path,
              message: "the migrations have changed since the file was written; \(Self.update)"))
        } else {
          description = read
        }
      } catch {
        failures.append(
          FileFailure(
            .staleDescription, path: path,
            message: "the file is not a description by querygen-postgresql; \(Self.update)"))
      }
    } else {
      failures.append(
        FileFailure(
          .staleDescription, path: path,
          message: "the server's description of the queries is missing; \(Self.update)"))
    }
    self.description = description
    declared = Set(description?.types.map(\.name) ?? [])
  }

  /// The tables and views.
  var tables: [QueryModel.TableDefinition] {
    (description?.tables ?? []).map { table in
      QueryModel.TableDefinition(
        name: table.name, kind: table.isView ? .view : .table,
        columns: table.columns.map { definition(of: $0) }, primaryKey: table.primaryKey,
        documentation: table.comment)
    }.sorted { $0.name < $1.name }
  }

  /// The types that the migrations create.
  var types: [TypeDefinition] {
    (description?.types ?? []).map { type in
      TypeDefinition(
        name: type.name,
        kind: type.values.map { .enumeration($0) }
          ?? .composite((type.attributes ?? []).map { definition(of: $0) }),
        documentation: type.comment)
    }.sorted { $0.name < $1.name }
  }

  private func definition(
    of column: PostgreSQLDescription.Column
  ) -> QueryModel.ColumnDefinition {
    QueryModel.ColumnDefinition(
      name: column.name, type: column.type.swiftType(declared), isNullable: column.isNullable,
      documentation: column.comment, declaredType: column.type.declaration,
      origins: origins(column.origin))
  }

  private func origins(_ origin: PostgreSQLDescription.Origin?) -> [TableColumn] {
    origin.map { [TableColumn(table: $0.table, column: $0.column)] } ?? []
  }

  /// Analyzes the queries of a file.
  ///
  /// - Returns: The queries without errors, and the spans of their names.
  func queries(of file: inout InputFile) -> (QueryModel.QueryFile, [ByteSpan]) {
    var queries: [QueryDefinition] = []
    var names: [ByteSpan] = []
    for query in PostgreSQLNamedQuery.parseFile(file.source, diagnostics: &file.diagnostics) {
      guard let definition = definition(of: query, in: &file) else { continue }
      queries.append(definition)
      names.append(query.name.span)
    }
    return (QueryModel.QueryFile(name: file.name, queries: queries), names)
  }

  private func definition(
    of query: PostgreSQLNamedQuery, in file: inout InputFile
  ) -> QueryDefinition? {
    func report(_ identity: Diagnostic.Identity, _ message: String) {
      file.diagnostics.append(Diagnostic(identity, at: query.name.span, message))
    }
    // A description that can't be used as a whole has been reported.
    guard let description else { return nil }
    let name = query.name.text
    guard let found = description.queries[PostgreSQLDescription.key(file: file.name, query: name)],
      found.hash == PostgreSQLDescription.hash(of: query)
    else {
      report(
        .staleDescription,
        "the server's description of `\(name)` in \(PostgreSQLDescription.fileName) is missing or "
          + "out of date; \(Self.update)")
      return nil
    }
    var comment = QueryComment(query.documentation)
    if !comment.lists.isEmpty {
      comment.problems.append(
        "`nest:` is not available on PostgreSQL; select `ARRAY(SELECT …)` instead")
    }
    var cardinality: Cardinality =
      switch found.rows {
      case .none: .none
      case .one: .one
      case .optional: .optional
      case .many: .many
      }
    switch query.cardinality {
    case .one where found.columns.isEmpty:
      comment.problems.append("`:one` needs a statement that returns rows")
    case .one where cardinality == .many: cardinality = .optional
    case .many: cardinality = found.columns.isEmpty ? .none : .many
    case .execlastid:
      comment.problems.append(
        "`:execlastid` is not available on PostgreSQL; write `RETURNING` and `:one`")
    case .exec, .execrows, .execresult: cardinality = .none
    case .one, nil: break
    }
    let columns = found.columns.map { definition(of: $0) }
    let parameters = found.parameters.enumerated().map { index, parameter in
      ParameterDefinition(
        index: index + 1, name: parameter.name, type: parameter.type.swiftType(declared),
        isNullable: parameter.isNullable, origins: origins(parameter.origin),
        isStored: parameter.isStored)
    }
    var result = ResultLayout.none
    if cardinality != .none {
      result = .columns(columns)
      if let table = found.table, comment.columnTypes.isEmpty { result = .table(table) }
    }
    comment.check(result, parameters)
    for problem in comment.problems { report(.malformedAnnotation, problem) }
    guard comment.problems.isEmpty else { return nil }
    var described = QueryDefinition(
      name: name, documentation: comment.documentation, sql: query.sql, parameters: parameters,
      result: result, cardinality: cardinality, isReadOnly: found.isReadOnly, reads: [],
      writes: [], columnTypes: comment.columnTypes, parameterTypes: comment.parameterTypes)
    described.parameterTypeIDs = found.parameters.map { $0.type.oid ?? 0 }
    described.columnTypeIDs = found.columns.map { $0.type.oid ?? 0 }
    return described
  }
}

extension PostgreSQLDescription {
  /// The hash of migration files.
  static func hash(of migrations: [InputFile]) -> String {
    hash(ofMigrations: migrations.map { ($0.name, $0.source) })
  }
}

extension PostgreSQLDescription.ValueType {
  /// The name by which the configuration maps the type to a Swift type.
  fileprivate var declaration: String { (domain ?? name) + (isArray == true ? "[]" : "") }
}

extension Diagnostic.Identity {
  /// The description of a server is missing or out of date.
  static let staleDescription = Self(rawValue: "stale-description")
  /// A server rejects a statement.
  static let rejectedStatement = Self(rawValue: "rejected-statement")
}
