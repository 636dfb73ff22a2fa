internal import SQLiteCore

/// Creates objects from rows that were read.
struct ObjectBuilder {
  private let objects: LoadedObjects
  private let decoder: RowDecoder

  /// The state of a row's object: its references are created first, then the object, then the
  /// elements of its lists if it is an instance; a value's elements are created before it.
  fileprivate struct Step {
    typealias Child = (type: ObjectIdentifier, key: SQLiteValue)

    let rows: LoadedRows
    let row: [SQLiteValue]
    /// The key by which other rows can refer to the row.
    let sharedKey: SQLiteValue?
    let isShallow: Bool
    /// The objects that must be created, in reverse order.
    var references: [Child]
    var elements: [Child]
    var object: Any?
    var pending: [(links: TableMapping.Links, elements: any PendingElements)] = []
    /// A Boolean value that indicates whether the elements are accessed while the object is
    /// created, as in a custom `init(from:)`.
    var needsElements = false

    var type: ObjectIdentifier { ObjectIdentifier(rows.mapping.type) }
    /// A Boolean value that indicates whether the object is created before its elements.
    var isFirst: Bool { !isShallow && !needsElements && rows.mapping.type is AnyClass }
  }

  init(_ objects: LoadedObjects) {
    self.objects = objects
    var decoder = RowDecoder()
    decoder.replacement = { type in
      switch PropertyKind(type) {
      case .column: nil
      case .document: Documents.read
      case .table:
        { _, property, row, column in try objects.reference(property, row, column) }
      case .links: { type, property, _, _ in try objects.list(type, property) }
      }
    }
    self.decoder = decoder
  }

  /// Creates the object of a row, and all objects that it requires.
  ///
  /// - Parameter isShared: Whether other rows can refer to the row.
  func make(_ rows: LoadedRows, _ row: [SQLiteValue], isShared: Bool) throws -> Any {
    let type = ObjectIdentifier(rows.mapping.type)
    var key = isShared && rows.mapping.key.count == 1 ? rows.keyIndex.map { row[$0] } : nil
    // Without a constraint, several rows can have one key.
    if let shared = key, objects.row(shared, of: type)?.row != row { key = nil }
    if let key {
      if let finished = objects.finished(key, of: type) { return finished }
      _ = objects.begin(key, of: type)
    }
    // Iterative, because a chain of rows can be longer than the stack.
    var path = [step(rows, row, key)]
    while true {
      let last = path.count - 1
      if let child = path[last].references.popLast() {
        if let next = referred(child) { path.append(next) }
        continue
      }
      if path[last].isFirst, path[last].object == nil {
        try makeObject(of: &path[last])
        continue
      }
      if let child = path[last].elements.popLast() {
        if let next = beginLoading(child) { path.append(next) }
        continue
      }
      var done = path.removeLast()
      let object = try done.object ?? makeObject(of: &done)
      for (links, elements) in done.pending {
        let content = objects.content(of: links, done.rows.mapping, done.key)
        guard elements.fill(content) else { throw links.elementTypeMismatch(done.rows.mapping) }
      }
      if let key = done.sharedKey, !done.isShallow { objects.finish(key, of: done.type) }
      if path.isEmpty { return object }
    }
  }

  /// Returns the step of a row whose loading begins now; `nil` if it has already begun.
  private func beginLoading(_ child: Step.Child) -> Step? {
    guard objects.begin(child.key, of: child.type),
      let found = objects.row(child.key, of: child.type)
    else { return nil }
    return step(found.rows, found.row, child.key)
  }

  /// Returns the step of a referenced row. If the row is being loaded, it is loaded again with
  /// unloaded lists.
  private func referred(_ child: Step.Child) -> Step? {
    if let next = beginLoading(child) { return next }
    guard objects.beginShallow(child.key, of: child.type),
      let found = objects.row(child.key, of: child.type)
    else { return nil }
    return step(found.rows, found.row, child.key, isShallow: true)
  }

  private func step(
    _ rows: LoadedRows, _ row: [SQLiteValue], _ key: SQLiteValue?, isShallow: Bool = false
  ) -> Step {
    let mapping = rows.mapping
    var references: [Step.Child] = []
    for column in mapping.references {
      if let type = mapping.properties[column].referencedType,
        let index = rows.index(ofColumn: column), !row[index].isNull
      {
        references.append((ObjectIdentifier(type), row[index]))
      }
    }
    var elements: [Step.Child] = []
    if let keyIndex = rows.keyIndex, !isShallow {
      for links in mapping.links {
        let linked = objects.linked(row[keyIndex], LoadedObjects.List(mapping, links))
        elements += linked.map { (ObjectIdentifier(links.elementType), $0) }
      }
    }
    return Step(
      rows: rows, row: row, sharedKey: key, isShallow: isShallow,
      references: references.reversed(), elements: elements.reversed())
  }

  @discardableResult
  private func makeObject(of step: inout Step) throws -> Any {
    let mapping = step.rows.mapping
    let listLoading: LoadedObjects.ListLoading =
      step.isShallow
      ? .unloaded(rowSnapshot: step.rows.snapshot(of: step.row))
      : step.isFirst ? .deferred : .eager
    objects.current = (mapping, step.key, listLoading)
    defer { objects.current = nil }
    objects.pending = []
    let object = try decode(mapping.type, step)
    if objects.pending.contains(where: \.elements.wereAccessedEarly) {
      step.needsElements = true
      return object
    }
    step.object = object
    step.pending = objects.pending
    if let key = step.sharedKey {
      objects.set(object, key, of: step.type, isShallow: step.isShallow)
    }
    return object
  }

  private func decode<Object: DataTable>(_ type: Object.Type, _ step: Step) throws -> Any {
    let optional = step.rows.mapping.optionalLists
    let row = Row(
      columns: step.rows.columns + optional, values: step.row + optional.map { _ in 0 })
    return try decoder.decode(type, from: row)
  }
}

extension LoadedObjects {
  /// Returns the object that a column of the current row refers to.
  fileprivate func reference(
    _ property: String, _ row: borrowing Row, _ column: ColumnIndex?
  ) throws -> Any {
    guard let mapping = current?.mapping,
      let referencedType = mapping.referencedType(ofColumn: property), let column
    else {
      throw ProviderError(
        .schemaMismatch, "the rows lack a column", table: current?.mapping.table, column: property)
    }
    let key = try row.read(SQLiteValue.self, at: column)
    let type = ObjectIdentifier(referencedType)
    if let object = object(key, of: type) { return object }
    if self.row(key, of: type) != nil {
      throw ProviderError(
        .cyclicReference,
        "the row refers to itself through a cycle of references: use a CrossReference",
        table: mapping.table, column: property)
    }
    throw ProviderError(
      .danglingReference, "the row refers to a missing row of \(referencedType.tableName)",
      table: mapping.table, column: property)
  }

  /// Returns the list of links of the current row.
  fileprivate func list(_ type: any Decodable.Type, _ property: String) throws -> Any {
    guard let current, let list = type as? any AnyCrossReference.Type,
      let links = current.mapping.links.first(where: { SQLName.isSame($0.property, property) })
    else {
      throw ProviderError(
        .schemaMismatch, "init()'s value does not contain the list of links",
        table: current?.mapping.table,
        column: property)
    }
    var content: LinkedContent
    switch current.listLoading {
    case .deferred:
      let (result, elements) = list.pending(links.definition)
      pending.append((links, elements))
      return result
    case .eager: content = self.content(of: links, current.mapping, current.key)
    case .unloaded(let rowSnapshot):
      content = LinkedContent(rowSnapshot: rowSnapshot)
      content.unloaded = linked(current.key, List(current.mapping, links)).map { Record.Key($0) }
    }
    guard let result = list.init(links.definition, content) else {
      throw links.elementTypeMismatch(current.mapping)
    }
    return result
  }

  /// Returns the content of a list: the loaded rows. Other rows lead back to one that is being
  /// loaded.
  fileprivate func content(
    of links: TableMapping.Links, _ mapping: TableMapping, _ owner: SQLiteValue
  ) -> LinkedContent {
    let type = ObjectIdentifier(links.elementType)
    var content = LinkedContent()
    for key in linked(owner, List(mapping, links)) {
      if let object = finished(key, of: type) {
        content.elements.append(object)
      } else {
        content.unloaded.append(Record.Key(key))
      }
    }
    return content
  }
}

extension ObjectBuilder.Step {
  fileprivate var key: SQLiteValue { rows.keyIndex.map { row[$0] } ?? .null }
}

extension LoadedObjects.List {
  fileprivate init(_ mapping: TableMapping, _ links: TableMapping.Links) {
    self.init(table: ObjectIdentifier(mapping.type), property: links.property)
  }
}

extension LoadedRows {
  /// Returns a row in the order of the mapping's columns; `nil` if it lacks a column.
  fileprivate func snapshot(of row: [SQLiteValue]) -> [SQLiteValue]? {
    let indexes = mapping.columns.indices.compactMap { index(ofColumn: $0) }
    return indexes.count == mapping.columns.count ? indexes.map { row[$0] } : nil
  }
}

extension TableMapping {
  /// The lists that are decoded only if the row has a column with their name: optional properties.
  var optionalLists: [String] { links.filter(\.isOptional).map(\.property) }
}

extension TableMapping.Links {
  fileprivate func elementTypeMismatch(_ mapping: TableMapping) -> ProviderError {
    ProviderError(
      .schemaMismatch, "the elements are of another type", table: mapping.table, column: property)
  }
}
