public import PostgreSQL
public import QueryGenDriver
internal import SQLSyntax

/// Lets a PostgreSQL server describe a project's queries.
///
/// The migrations are applied to a scratch database, which is removed at the end. No query is run.
public struct ProjectDescriber: Sendable {
  private let configuration: PostgreSQLConfiguration

  /// - Parameter configuration: The server, and a database to connect to while the scratch database is created. Its
  ///   role must be allowed to create databases.
  public init(_ configuration: PostgreSQLConfiguration) {
    var configuration = configuration
    // The messages describe the project's own SQL.
    configuration.showsValuesInErrors = true
    self.configuration = configuration
  }

  /// Describes a project.
  ///
  /// Migrations and queries that the server rejects are reported in `project`.
  ///
  /// - Returns: The description; `nil` if there are errors.
  /// - Throws: `PostgreSQLError` if the server can't be reached or the scratch database can't be created.
  public func describe(_ project: inout PostgreSQLProject) async throws -> PostgreSQLDescription? {
    guard !project.hasErrors else { return nil }
    let name = "querygen_\(UInt64.random(in: 0..<UInt64.max))"
    let server = try await PostgreSQLConnection.connect(configuration)
    do {
      try await server.run("CREATE DATABASE \(identifier: name)")
      var scratch = configuration
      scratch.database = name
      let result: Result<PostgreSQLDescription?, any Error>
      do {
        let connection = try await PostgreSQLConnection.connect(scratch)
        do {
          result = .success(try await describe(&project, on: connection))
        } catch {
          result = .failure(error)
        }
        await connection.close()
      } catch {
        result = .failure(error)
      }
      try await server.run("DROP DATABASE \(identifier: name) WITH (FORCE)")
      await server.close()
      return try result.get()
    } catch {
      await server.close()
      throw error
    }
  }

  private func describe(
    _ project: inout PostgreSQLProject, on connection: PostgreSQLConnection
  ) async throws -> PostgreSQLDescription? {
    for (index, migration) in project.migrations.enumerated() {
      do {
        try await connection.transaction { connection in
          try await connection.execute(PostgreSQLQuery(unsafe: migration.sql))
        }
      } catch let error as PostgreSQLError where error.sqlstate != nil {
        project.report(error.report, inMigration: index, atByte: error.place.position?.byteOffset)
        return nil
      } catch let error as PostgreSQLError
        where error.code == .transactionEnded || error.code == .transactionRolledBack
      {
        project.report(
          "the migration ends its transaction, but each migration is one transaction",
          inMigration: index, atByte: nil)
        return nil
      }
    }
    // Settings of the migrations, such as the search path, don't apply to the program's connections.
    try await connection.run("DISCARD ALL")
    let catalog = try await ServerCatalog(of: connection)
    var description = PostgreSQLDescription(
      server: catalog.server, migrations: project.migrationHash)
    description.addSchema(catalog)
    let describer = QueryDescriber(catalog: catalog)
    for (index, query) in project.queries.enumerated() {
      do {
        description.queries[query.key] = try await describer.describe(query.query, on: connection)
      } catch let error as PostgreSQLError where error.sqlstate != nil {
        project.report(error.report, inQuery: index, atByte: error.place.position?.byteOffset)
      }
    }
    return project.hasErrors ? nil : description
  }
}

extension PostgreSQLError {
  /// The server's message and hint on one line.
  fileprivate var report: String {
    ([message] + [detail, hint].compactMap(\.self)).map { text in
      text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }.joined(separator: "; ")
  }
}

extension PostgreSQLDescription {
  /// Adds the tables and types of a catalog.
  mutating func addSchema(_ catalog: ServerCatalog) {
    let tables = catalog.relations.values.filter { $0.kind != "c" && !$0.isFromExtension }
    self.tables = tables.map { relation in
      let view = relation.kind == "v" || relation.kind == "m"
      let analyzer = StatementAnalyzer(catalog: catalog, presentParameters: [])
      let facts = relation.kind == "v" ? analyzer.columns(ofView: relation) : []
      return Table(
        name: catalog.qualified(relation.name, in: relation.schema), isView: view,
        columns: relation.attributes.map { attribute in
          let known =
            facts.indices.contains(attribute.number - 1) ? facts[attribute.number - 1] : .unknown
          let isPresent =
            relation.kind == "v"
            ? known.isPresent : catalog.isNotNull(attribute.number, of: relation.oid)
          return Column(
            name: attribute.name,
            type: catalog.valueType(attribute.type, hasElements: known.hasElements),
            isNullable: !isPresent, comment: attribute.comment)
        },
        primaryKey: relation.primaryKey.compactMap {
          catalog.attribute($0, of: relation.oid)?.name
        }, comment: relation.comment)
    }.sorted { $0.name < $1.name }
    let types = catalog.types.values.filter { type in
      type.oid >= 16_384 && !type.isFromExtension
        && (type.kind == "e" || type.kind == "c" && type.relationKind == "c")
    }
    self.types = types.map { type in
      DeclaredType(
        name: catalog.qualified(type.name, in: type.schema),
        values: type.kind == "e" ? catalog.enumerations[type.oid] ?? [] : nil,
        attributes: type.kind == "c" ? attributes(of: type, catalog) : nil, comment: type.comment)
    }.sorted { $0.name < $1.name }
  }

  private func attributes(
    of type: ServerCatalog.TypeEntry, _ catalog: ServerCatalog
  ) -> [Column] {
    let relation = catalog.relations.values.first {
      $0.kind == "c" && $0.name == type.name && $0.schema == type.schema
    }
    return (relation?.attributes ?? []).map { attribute in
      Column(
        name: attribute.name, type: catalog.valueType(attribute.type), isNullable: true,
        comment: attribute.comment)
    }
  }
}

extension ServerCatalog {
  /// Returns the description of a type.
  func valueType(_ oid: UInt32, hasElements: Bool = false) -> PostgreSQLDescription.ValueType {
    let declared = types[oid]
    let base = withoutDomains(oid)
    let domain =
      declared?.kind == "d" ? declared.map { qualified($0.name, in: $0.schema) } : nil
    guard let type = types[base] else { return .init(name: "unknown") }
    let element = type.element == 0 ? type : types[withoutDomains(type.element)] ?? type
    return PostgreSQLDescription.ValueType(
      name: qualified(element.name, in: element.schema),
      oid: base < 16_384 ? base : nil, isArray: type.element != 0, hasElements: hasElements,
      bound: types[withoutDomains(element.bound)]?.name, domain: domain)
  }
}
