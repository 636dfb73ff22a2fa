internal import PostgreSQL
internal import QueryGenDriver
internal import SQLSyntax

/// Describes a query.
struct QueryDescriber {
  let catalog: ServerCatalog
  /// The tables, by name.
  private let tables: [String: PostgreSQLDescription.Table]

  init(catalog: ServerCatalog) {
    self.catalog = catalog
    var schema = PostgreSQLDescription(server: "", migrations: "")
    schema.addSchema(catalog)
    tables = Dictionary(
      schema.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Describes a query on a connection to the scratch database.
  ///
  /// - Throws: `PostgreSQLError` if the server rejects the query.
  func describe(
    _ query: PostgreSQLNamedQuery, on connection: PostgreSQLConnection
  ) async throws -> PostgreSQLDescription.Query {
    let found = try await connection.describe(PostgreSQLQuery(unsafe: query.sql))
    let tree = try await analyzedStatement(
      query.sql, parameters: found.parameterTypes.map(\.rawValue), on: connection)
    guard let tree else {
      return description(of: query, found, uses: nil, facts: [], rows: nil, isReadOnly: false)
    }
    let uses = ParameterUses(of: tree, catalog: catalog)
    let present = Set(
      (1..<found.parameterTypes.count + 1).filter { uses.uses[$0]?.isNullable != true })
    let analyzer = StatementAnalyzer(catalog: catalog, presentParameters: present)
    return description(
      of: query, found, uses: uses, facts: analyzer.columns(of: tree),
      rows: analyzer.rows(of: tree),
      isReadOnly: analyzer.isReadOnly(tree))
  }

  /// Returns the server's analysis of a statement; `nil` if the statement can't be the body of a function, or if the
  /// server is older than PostgreSQL 14.
  private func analyzedStatement(
    _ sql: String, parameters: [UInt32], on connection: PostgreSQLConnection
  ) async throws -> NodeTree.Node? {
    let names = try await connection.values(
      String.self,
      """
      SELECT pg_catalog.format_type(oid, NULL)
      FROM unnest($1::oid[]) WITH ORDINALITY u(oid, n) ORDER BY n
      """,
      parameters)
    let head = "CREATE FUNCTION pg_temp.querygen_statement(\(names.joined(separator: ", ")))"
    do {
      let text = try await connection.transaction { connection in
        try await connection.execute(
          PostgreSQLQuery(unsafe: "\(head) RETURNS void LANGUAGE sql BEGIN ATOMIC \(sql)\n; END"))
        let text = try await connection.value(
          String?.self,
          """
          SELECT prosqlbody::text FROM pg_catalog.pg_proc
          WHERE proname = 'querygen_statement' AND pronamespace = pg_catalog.pg_my_temp_schema()
          """)
        try await connection.execute(
          PostgreSQLQuery(
            unsafe: "DROP FUNCTION pg_temp.querygen_statement(\(names.joined(separator: ", ")))"))
        return text ?? nil
      }
      return text.flatMap { NodeTree($0)?.firstQuery }
    } catch let error as PostgreSQLError where error.sqlstate != nil {
      return nil
    }
  }

  private func description(
    of query: PostgreSQLNamedQuery, _ found: PostgreSQLStatementDescription,
    uses: ParameterUses?, facts: [StatementAnalyzer.Facts], rows: PostgreSQLDescription.Rows?,
    isReadOnly: Bool
  ) -> PostgreSQLDescription.Query {
    let columns = found.columns.enumerated().map { index, column in
      let known = facts.count == found.columns.count ? facts[index] : .unknown
      let attribute = column.origin.flatMap { catalog.attribute($0.column, of: $0.table) }
      var type = catalog.valueType(column.type.rawValue, hasElements: known.hasElements)
      type.domain = attribute.flatMap { catalog.valueType($0.type).domain }
      return PostgreSQLDescription.Column(
        name: column.name, type: type, isNullable: !known.isPresent,
        origin: column.origin.flatMap { tableColumn($0.table, $0.column) },
        comment: attribute?.comment)
    }
    return PostgreSQLDescription.Query(
      hash: PostgreSQLDescription.hash(of: query),
      parameters: parameters(of: query, found, uses), columns: columns,
      rows: rows ?? (columns.isEmpty ? PostgreSQLDescription.Rows.none : .many),
      isReadOnly: isReadOnly,
      table: table(of: found, columns))
  }

  private func tableColumn(_ table: UInt32, _ column: Int) -> PostgreSQLDescription.Origin? {
    guard let relation = catalog.relations[table],
      let attribute = catalog.attribute(column, of: table)
    else { return nil }
    return .init(
      table: catalog.qualified(relation.name, in: relation.schema), column: attribute.name)
  }

  private func parameters(
    of query: PostgreSQLNamedQuery, _ found: PostgreSQLStatementDescription, _ uses: ParameterUses?
  ) -> [PostgreSQLDescription.Parameter] {
    var taken: Set<String> = []
    return found.parameterTypes.enumerated().map { index, type in
      let use = uses?.uses[index + 1]
      let origin = use?.column.flatMap { tableColumn($0.relation, $0.number) }
      let given = query.parameters.indices.contains(index) ? query.parameters[index].name : nil
      var name = given ?? use?.word ?? origin?.column ?? "value"
      if given == nil, !taken.insert(name).inserted {
        let base = name
        var number = 2
        while !taken.insert("\(base)\(number)").inserted { number += 1 }
        name = "\(base)\(number)"
      }
      var valueType = catalog.valueType(type.rawValue, hasElements: true)
      if valueType.isArray != true { valueType.hasElements = nil }
      // The parameter of a domain has the domain's own identifier.
      if type.rawValue >= 16_384 { valueType.oid = nil }
      if let use, let column = use.column, valueType.domain == nil,
        let attribute = catalog.attribute(column.number, of: column.relation)
      {
        valueType.domain = catalog.valueType(attribute.type).domain
      }
      return PostgreSQLDescription.Parameter(
        name: name, type: valueType, isNullable: use?.isNullable ?? false,
        isStored: use?.isStoredNullable ?? false, origin: origin)
    }
  }

  /// Returns the table whose columns are all columns in order, with at least the same guarantees.
  private func table(
    of found: PostgreSQLStatementDescription, _ columns: [PostgreSQLDescription.Column]
  ) -> String? {
    guard let oid = found.columns.first?.origin?.table, let relation = catalog.relations[oid],
      !relation.isFromExtension,
      found.columns.count == relation.attributes.count
    else { return nil }
    let name = catalog.qualified(relation.name, in: relation.schema)
    guard let table = tables[name] else { return nil }
    for (index, attribute) in relation.attributes.enumerated() {
      let column = found.columns[index]
      guard column.origin?.table == oid, column.origin?.column == attribute.number,
        column.name == attribute.name,
        table.columns[index].isNullable || !columns[index].isNullable,
        table.columns[index].type.hasElements != true || columns[index].type.hasElements == true
      else { return nil }
    }
    return name
  }
}
