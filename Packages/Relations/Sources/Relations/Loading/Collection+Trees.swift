internal import SQLiteCore

/// Recursive queries on a table whose rows refer to their parents.
private struct TreeQuery<Node: TableModel> {
  let metadata: TableMetadata
  /// The columns that refer to the parent.
  let parent: [String]

  init(_ parent: [String]) throws {
    metadata = try TableMetadata.of(Node.Row.self)
    self.parent = parent
  }

  private var table: String { metadata.quotedTable }
  private var keys: [String] { metadata.keyNames.map { SQLName.quoted($0) } }
  private var parents: [String] { parent.map { SQLName.quoted($0) } }
  private var places: Range<Int> { keys.indices }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }

  /// Returns the rows with the given keys and all their ancestors, in unspecified order.
  func readAncestors(_ connection: Connection, from seeds: [[SQLiteValue]]) throws -> [ModelSession
    .FetchedRow<
      Node.Row
    >]
  {
    guard let condition = KeyCondition(expressions: metadata.keyColumns(of: table), in: seeds)
    else {
      return []
    }
    let names = list(places.map { "k\($0)" })
    // `UNION` removes duplicate keys, so a cycle terminates.
    return try connection.readRows(
      Node.Row.self, metadata,
      """
      WITH RECURSIVE holt_up(\(unsafe: names)) AS (
        SELECT \(unsafe: list(keys)) FROM \(unsafe: table) WHERE \(unsafe: condition.sql)
        UNION SELECT \(unsafe: list(parents.map { "holt_node.\($0)" })) FROM holt_up
        JOIN \(unsafe: table) AS holt_node ON \(unsafe: JoinPath.condition(keys.map { "holt_node.\($0)" }, places.map { "holt_up.k\($0)" })))
      \(unsafe: metadata.selectSQL) WHERE (\(unsafe: list(metadata.keyColumns(of: table)))) IN (SELECT \(unsafe: names) FROM holt_up)
      """, condition.arguments
    ).all
  }

  typealias Descendant = (
    root: [SQLiteValue], depth: Int, fetched: ModelSession.FetchedRow<Node.Row>
  )

  /// Returns all descendants of the rows with the given keys, by depth. In a cycle, a row is its
  /// own descendant once, and its descendants are not repeated.
  func readDescendants(
    _ connection: Connection, from roots: [[SQLiteValue]], depth: Int?, order: [OrderTerm]
  ) throws -> [Descendant] {
    guard let condition = KeyCondition(expressions: metadata.keyColumns(of: table), in: roots)
    else {
      return []
    }
    let (first, width) = (metadata.columns.count, keys.count)
    let (r, k) = (places.map { "r\($0)" }, places.map { "k\($0)" })
    let children = parents.map { "holt_child.\($0)" }
    let limit = depth.map { " AND holt_tree.\"holt depth\" < \($0)" } ?? ""
    let columns = metadata.columns(of: table)
    let sorted = order + metadata.keyColumns(of: table).map { OrderTerm($0) }
    let sql = """
      WITH RECURSIVE holt_tree(\(list(r + k)), "holt depth") AS (
        SELECT \(list(keys + keys)), 0 FROM \(table) WHERE \(condition.sql)
        UNION ALL SELECT \(list(r.map { "holt_tree.\($0)" } + keys.map { "holt_child.\($0)" })), \
      holt_tree."holt depth" + 1 FROM holt_tree
        JOIN \(metadata.source(as: "holt_child")) ON \(JoinPath.condition(children, k.map { "holt_tree.\($0)" }))
        WHERE NOT (holt_tree."holt depth" > 0 AND \(JoinPath.condition(r.map { "holt_tree.\($0)" }, k.map { "holt_tree.\($0)" })))\(limit))
      SELECT \(list(columns)), \(list(r.map { "holt_tree.\($0)" })), holt_tree."holt depth"
      FROM holt_tree JOIN \(table) ON \(JoinPath.condition(metadata.keyColumns(of: table), k.map { "holt_tree.\($0)" }))
      WHERE holt_tree."holt depth" > 0 ORDER BY holt_tree."holt depth", \(OrderTerm.sql(sorted))
      """
    var found: [Descendant] = []
    try connection.forEachFetched(Node.Row.self, metadata, SQL(unsafe: sql), condition.arguments) {
      fetched, row in
      var root: [SQLiteValue] = []
      for place in 0..<width { root.append(try row.value(at: ColumnIndex(first + place))) }
      let depth = Int(try row.integer(at: ColumnIndex(first + width)))
      found.append((root: root, depth: depth, fetched: fetched))
    }
    return found
  }
}

extension Collection where Element: TableModel {
  /// Returns the ancestors of each row, nearest first, following a to-one relation within the same
  /// table with one statement.
  ///
  /// ```swift
  /// let above = try await folders.ancestors(\.parent)
  /// let path = above[folder.id, default: []].reversed()
  /// ```
  ///
  /// In a cycle, each row appears once.
  ///
  /// - Throws: `SQLiteError`; ``RelationError`` if the type can't be a table.
  public func ancestors(
    _ parent: any KeyPath<Element.Row, OneRelation<Element>> & Sendable
  ) async throws -> [Element.ID: [Element]] {
    guard let session = try treeSession(parent) else { return [:] }
    try await session.prepare(Element.Row.self)
    let columns = try ToOneProperty(parent).columns()
    let seeds = Set(compactMap { $0.row[keyPath: parent].key?.keyValues })
    let revision = session.clock.now
    let rows = try await session.database.read { connection in
      try TreeQuery<Element>(columns).readAncestors(connection, from: Array(seeds))
    }
    let collation = session.keyCollation(of: Element.Row.self)
    var parents = KeyMap<StoredKey>(collation)
    var found = KeyMap<Element>(collation)
    for row in rows {
      let key = StoredKey(row.row.id)
      parents[key] = StoredKey(row.row[keyPath: parent].key)
      found[key] = Element.instance(of: row.read(at: revision), in: session)
    }
    var result: [Element.ID: [Element]] = [:]
    for element in self {
      var above: [Element] = []
      var seen = Set([StoredKey(element.id)])
      var next = StoredKey(element.row[keyPath: parent].key)
      while let object = found[next], seen.insert(StoredKey(object.id)).inserted {
        above.append(object)
        next = parents[next] ?? .none
      }
      result[element.id] = above
    }
    return result
  }

  /// Returns the descendants of each row, level by level, following a to-one relation within the
  /// same table with one statement.
  ///
  /// ```swift
  /// let below = try await folders.descendants(\.parent, depth: 2, orderedBy: "name")
  /// ```
  ///
  /// In a cycle, each row appears once, and no row is its own descendant.
  ///
  /// - Parameters:
  ///   - parent: The relation to the parent.
  ///   - depth: The number of levels to read; `nil` reads all levels.
  ///   - order: The order within a level, as terms of an `ORDER BY` clause. Ties are ordered by
  ///     key.
  /// - Throws: The same errors as ``ancestors(_:)``.
  public func descendants(
    _ parent: any KeyPath<Element.Row, OneRelation<Element>> & Sendable, depth: Int? = nil,
    orderedBy order: String? = nil
  ) async throws -> [Element.ID: [Element]] {
    guard let session = try treeSession(parent) else { return [:] }
    try await session.prepare(Element.Row.self)
    let columns = try ToOneProperty(parent).columns()
    let roots = Array(Set(map(\.id.keyValues)))
    let terms = OrderTerm.parse(order)
    let revision = session.clock.now
    let rows = try await session.database.read { connection in
      try TreeQuery<Element>(columns).readDescendants(
        connection, from: roots, depth: depth, order: terms)
    }
    var below: [[SQLiteValue]: [Element]] = [:]
    for row in rows where row.fetched.row.id.keyValues != row.root {
      below[row.root, default: []].append(
        Element.instance(of: row.fetched.read(at: revision), in: session))
    }
    var result: [Element.ID: [Element]] = [:]
    for element in self { result[element.id] = below[element.id.keyValues] ?? [] }
    return result
  }

  private func treeSession(
    _ parent: any KeyPath<Element.Row, OneRelation<Element>> & Sendable
  ) throws -> ModelSession? {
    if isEmpty { return nil }
    return try lazy.compactMap { $0.row[keyPath: parent].session }.first
      ?? ModelSession.current(for: Element.Row.autoDBSettings)
  }

  /// Loads the children of each row, their children, and so on: whole trees with one statement.
  ///
  /// ```swift
  /// struct Value: Table {
  ///   var id: AutoId = 0
  ///   var parent = OneRelation<Folder>()
  ///   var children = ManyRelation<Folder>(\.parent, orderedBy: "name")
  /// }
  /// try await folders.loadTrees(\.children)
  /// func count(_ folder: Folder) throws -> Int { try 1 + folder.value.children.loaded().map(count).reduce(0, +) }
  /// ```
  ///
  /// If the rows are models, the relation to the parent is loaded too. If they are values, it is
  /// not, to avoid a reference cycle.
  ///
  /// - Parameters:
  ///   - children: The list, which is the inverse of a to-one relation of the same table.
  ///   - depth: The number of levels to load; `nil` loads all levels.
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the list is of
  ///   another kind, with ``RelationError/Code/noOwner`` if a row was neither created nor fetched
  ///   by a session; `SQLiteError`.
  public func loadTrees(
    _ children: any KeyPath<Element.Row, ManyRelation<Element>> & Sendable, depth: Int? = nil
  ) async throws {
    guard let first = self.first else { return }
    let list = first.row[keyPath: children]
    guard case .inverse(let inverse, let order) = list.kind, inverse.ownerTable == Element.Row.self
    else {
      throw RelationError(
        .schemaMismatch, "the list is not the inverse of a relation of the same table",
        table: Element.Row.tableName)
    }
    let (owner, _) = try await list.prepared()
    let columns = try inverse.columns()
    let collation = owner.session.keyCollation(of: Element.Row.self)
    var nodes: [[SQLiteValue]: (node: [Element], depth: Int)] = [:]
    for element in self {
      nodes[collation.folded(element.id.keyValues), default: ([], 0)].node.append(element)
    }
    let roots = Array(Set(map(\.id.keyValues)))
    let terms = OrderTerm.parse(order)
    let revision = owner.session.clock.tick()
    let rows = try await owner.session.database.read { connection in
      try TreeQuery<Element>(columns).readDescendants(
        connection, from: roots, depth: depth, order: terms)
    }
    var found: [[SQLiteValue]: [ListQuery<Element>.ListedRow]] = [:]
    var seenKeys: Set<[SQLiteValue]> = []
    for row in rows {
      let key = collation.folded(row.fetched.row.id.keyValues)
      // Read before the row is merged into an instance that may have unsaved changes.
      let parent = collation.folded(inverse.relation(of: row.fetched.row).columnValues)
      if let former = nodes[key] {
        nodes[key] = (former.node, Swift.min(former.depth, row.depth))
      } else {
        nodes[key] = (
          [Element.instance(of: row.fetched.read(at: revision), in: owner.session)], row.depth
        )
      }
      // A row may be a descendant of several rows.
      guard seenKeys.insert(key).inserted else { continue }
      found[parent, default: []].append(
        ListQuery<Element>.ListedRow(
          position: 0, cursor: [], fetched: row.fetched.read(at: revision)))
    }
    var missed: [ManyRelation<Element>] = []
    for (key, (node, level)) in nodes where depth.map({ level < $0 }) ?? true {
      for element in node {
        let list = element.row[keyPath: children]
        guard let owner = list.owner else {
          throw ManyRelation<Element>.noOwnerError
        }
        let isShown = list.setLoaded(
          found[key] ?? [], limit: nil, owner, linkKeys: 0, at: revision)
        if !isShown { missed.append(list) }
      }
    }
    // Lists that were loaded or saved at the same time.
    for list in missed { try await list.load(.first(nil)) }
  }
}
