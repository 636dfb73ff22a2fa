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
    let isOutline: Bool
    /// The objects that must be created, in reverse order.
    var references: [Child]
    var elements: [Child]
    var object: Any?
    var pending: [(links: TablePlan.Links, elements: any PendingElements)] = []
    /// A Boolean value that indicates whether the elements are accessed while the object is
    /// created, as in a custom `init(from:)`.
    var needsElements = false

    var type: ObjectIdentifier { ObjectIdentifier(rows.plan.type) }
    /// A Boolean value that indicates whether the object is created before its elements.
    var isFirst: Bool { !isOutline && !needsElements && rows.plan.type is AnyClass }
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
    let type = ObjectIdentifier(rows.plan.type)
    var key = isShared && rows.plan.key.count == 1 ? rows.keyPlace.map { row[$0] } : nil
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
        let content = objects.content(of: links, done.rows.plan, done.key)
        guard elements.fill(content) else { throw links.elementTypeMismatch(done.rows.plan) }
      }
      if let key = done.sharedKey, !done.isOutline { objects.finish(key, of: done.type) }
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
    guard objects.beginOutline(child.key, of: child.type),
      let found = objects.row(child.key, of: child.type)
    else { return nil }
    return step(found.rows, found.row, child.key, isOutline: true)
  }

  private func step(
    _ rows: LoadedRows, _ row: [SQLiteValue], _ key: SQLiteValue?, isOutline: Bool = false
  ) -> Step {
    let plan = rows.plan
    var references: [Step.Child] = []
    for column in plan.references {
      if let child = plan.properties[column].child,
        let place = rows.place(ofColumn: column), !row[place].isNull
      {
        references.append((ObjectIdentifier(child), row[place]))
      }
    }
    var elements: [Step.Child] = []
    if let place = rows.keyPlace, !isOutline {
      for links in plan.links {
        let linked = objects.linked(row[place], LoadedObjects.List(plan, links))
        elements += linked.map { (ObjectIdentifier(links.child), $0) }
      }
    }
    return Step(
      rows: rows, row: row, sharedKey: key, isOutline: isOutline,
      references: references.reversed(), elements: elements.reversed())
  }

  @discardableResult
  private func makeObject(of step: inout Step) throws -> Any {
    let plan = step.rows.plan
    let lists: LoadedObjects.Lists =
      step.isOutline
      ? .unloaded(step.rows.outline(of: step.row)) : step.isFirst ? .pending : .whole
    objects.current = (plan, step.key, lists)
    defer { objects.current = nil }
    objects.pending = []
    let object = try decode(plan.type, step)
    if objects.pending.contains(where: \.elements.wereAccessedEarly) {
      step.needsElements = true
      return object
    }
    step.object = object
    step.pending = objects.pending
    if let key = step.sharedKey {
      objects.set(object, key, of: step.type, isOutline: step.isOutline)
    }
    return object
  }

  private func decode<Object: DataTable>(_ type: Object.Type, _ step: Step) throws -> Any {
    let optional = step.rows.plan.optionalLists
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
    guard let plan = current?.plan,
      let child = plan.child(property), let column
    else {
      throw ProviderError(
        .schemaMismatch, "the rows lack a column", table: current?.plan.table, column: property)
    }
    let key = try row.read(SQLiteValue.self, at: column)
    let type = ObjectIdentifier(child)
    if let object = object(key, of: type) { return object }
    if self.row(key, of: type) != nil {
      throw ProviderError(
        .cyclicReference,
        "the row refers to itself through a cycle of references: use a CrossReference",
        table: plan.table, column: property)
    }
    throw ProviderError(
      .danglingReference, "the row refers to a missing row of \(child.tableName)",
      table: plan.table, column: property)
  }

  /// Returns the list of links of the current row.
  fileprivate func list(_ type: any Decodable.Type, _ property: String) throws -> Any {
    guard let current, let list = type as? any AnyCrossReference.Type,
      let links = current.plan.links.first(where: { SQLName.isSame($0.property, property) })
    else {
      throw ProviderError(
        .schemaMismatch, "init()'s value does not contain the list of links",
        table: current?.plan.table,
        column: property)
    }
    var content: LinkedContent
    switch current.lists {
    case .pending:
      let (result, elements) = list.pending(links.definition)
      pending.append((links, elements))
      return result
    case .whole: content = self.content(of: links, current.plan, current.key)
    case .unloaded(let outline):
      content = LinkedContent(outline: outline)
      content.unloaded = linked(current.key, List(current.plan, links)).map { Record.Key($0) }
    }
    guard let result = list.init(links.definition, content) else {
      throw links.elementTypeMismatch(current.plan)
    }
    return result
  }

  /// Returns the content of a list: the loaded rows. Other rows lead back to one that is being
  /// loaded.
  fileprivate func content(
    of links: TablePlan.Links, _ plan: TablePlan, _ owner: SQLiteValue
  ) -> LinkedContent {
    let child = ObjectIdentifier(links.child)
    var content = LinkedContent()
    for key in linked(owner, List(plan, links)) {
      if let object = finished(key, of: child) {
        content.elements.append(object)
      } else {
        content.unloaded.append(Record.Key(key))
      }
    }
    return content
  }
}

extension ObjectBuilder.Step {
  fileprivate var key: SQLiteValue { rows.keyPlace.map { row[$0] } ?? .null }
}

extension LoadedObjects.List {
  fileprivate init(_ plan: TablePlan, _ links: TablePlan.Links) {
    self.init(table: ObjectIdentifier(plan.type), property: links.property)
  }
}

extension LoadedRows {
  /// Returns a row in the order of the plan's columns; `nil` if it lacks a column.
  fileprivate func outline(of row: [SQLiteValue]) -> LoadedRowValues? {
    let places = plan.columns.indices.compactMap { place(ofColumn: $0) }
    return places.count == plan.columns.count ? LoadedRowValues(places.map { row[$0] }) : nil
  }
}

extension TablePlan {
  /// The lists that are decoded only if the row has a column with their name: optional properties.
  var optionalLists: [String] { links.filter(\.isOptional).map(\.property) }
}

extension TablePlan.Links {
  fileprivate func elementTypeMismatch(_ plan: TablePlan) -> ProviderError {
    ProviderError(
      .schemaMismatch, "the elements are of another type", table: plan.table, column: property)
  }
}
