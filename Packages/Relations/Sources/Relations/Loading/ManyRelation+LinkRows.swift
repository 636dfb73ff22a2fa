internal import SQLiteCore

extension ManyRelation {
  /// Returns all rows that link the owner with the rows of the list, in the list's order.
  ///
  /// ```swift
  /// for enrolment in try await student.courses.links(Enrolment.self) {
  ///   print(enrolment.grade ?? 0, try enrolment.course.loaded()?.name ?? "")
  /// }
  /// ```
  ///
  /// A link's relation to a row of the list is loaded if ``items`` contains the row.
  ///
  /// - Throws: ``RelationError`` with code ``RelationError/Code/schemaMismatch`` if the list has no
  ///   links of type `Link`; the same errors as ``fetch()``.
  public func links<Link: TableModel>(_ type: Link.Type) async throws -> [Link] {
    guard case .path(let steps, let order, let links?) = kind, links.type == Link.Row.self,
      let property = steps.last?.property
    else {
      throw RelationError(
        .schemaMismatch, "the list has no links of \(Link.Row.tableName)",
        table: Target.Row.tableName)
    }
    let (owner, _) = try await prepared()
    if owner.isUnsaved { return [] }
    let path = try JoinPath(steps, hasLinks: true)
    let (target, metadata) = (
      try TableMetadata.of(Target.Row.self), try TableMetadata.of(Link.Row.self)
    )
    let columns = metadata.columns(of: "holt_s0")
    let keys = target.keyColumns(of: target.quotedTable)
    let terms = OrderTerm.parse(order) + (path.linkKeys ?? []).map { OrderTerm($0) }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM \(path.tables) \
      JOIN \(target.source) ON \(JoinPath.condition(keys, path.targetExpressions)) \
      WHERE \(path.ownerExpressions.map { "\($0) = ?" }.joined(separator: " AND ")) \
      ORDER BY \(OrderTerm.sql(terms))
      """
    let key = owner.currentKey
    let revision = owner.session.clock.now
    let rows = try await owner.session.database.read { connection in
      try connection.readRows(Link.Row.self, metadata, SQL(unsafe: sql), key).all
    }
    var itemsByKey = KeyMap<Target>(owner.session.keyCollation(of: Target.Row.self))
    for item in items { itemsByKey[StoredKey(item.id)] = item }
    let name = try property.name()
    for row in rows {
      for (relation, property) in zip(row.relations, metadata.relationNames) where property == name
      {
        guard let one = relation as? OneRelation<Target>, let key = one.key else { continue }
        if let item = itemsByKey[StoredKey(key)] {
          one.setLoaded(item, for: StoredKey(key), mayBeRetained: false)
        }
      }
    }
    return rows.map { Link.instance(of: $0.read(at: revision), in: owner.session) }
  }
}
