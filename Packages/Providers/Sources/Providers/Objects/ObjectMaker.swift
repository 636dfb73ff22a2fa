internal import SQLiteCore

/// Makes objects of rows that were read, one after another.
///
/// A row of values is decoded by a statement that gives these values, so that it is read as any other row is.
struct ObjectMaker {
  private let connection: Connection
  private let objects: LoadedObjects
  private let decoder: RowDecoder

  private struct Step {
    let rows: LoadedRows
    let row: [SQLiteValue]
    let key: SQLiteValue?
    var children: [(type: ObjectIdentifier, key: SQLiteValue)]
  }

  init(_ connection: Connection, _ objects: LoadedObjects) {
    self.connection = connection
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

  /// Makes the object of a row, and those that it needs.
  ///
  /// - Parameter isShared: Whether the row is one of those that others may refer to.
  func make(_ rows: LoadedRows, _ row: [SQLiteValue], isShared: Bool) throws -> Any {
    let type = ObjectIdentifier(rows.plan.type)
    let key = rows.keyPlace.map { row[$0] }
    let isKnown = isShared && rows.plan.key.count == 1
    if isKnown, let key {
      if let made = objects.object(key, of: type) { return made }
      _ = objects.begin(key, of: type)
    }
    // Not by recursion: a chain of rows may be longer than the stack.
    var path = [step(rows, row, isKnown ? key : nil)]
    while true {
      if let child = path[path.count - 1].children.popLast() {
        if objects.begin(child.key, of: child.type),
          let found = objects.row(child.key, of: child.type)
        {
          path.append(step(found.rows, found.row, child.key))
        }
        continue
      }
      let last = path.removeLast()
      let object = try decode(last)
      if path.isEmpty {
        if let key = last.key { objects.finish(key, of: type, object) }
        return object
      }
      if let key = last.key {
        objects.finish(key, of: ObjectIdentifier(last.rows.plan.type), object)
      }
    }
  }

  /// What a row needs, the last first.
  private func step(_ rows: LoadedRows, _ row: [SQLiteValue], _ key: SQLiteValue?) -> Step {
    let plan = rows.plan
    var children: [(type: ObjectIdentifier, key: SQLiteValue)] = []
    if let place = rows.keyPlace {
      for links in plan.links {
        let list = LoadedObjects.List(table: ObjectIdentifier(plan.type), property: links.property)
        for key in objects.linked(row[place], list) {
          children.append((ObjectIdentifier(links.child), key))
        }
      }
    }
    for column in plan.references {
      if let child = plan.columns[column].child,
        let place = rows.place(ofColumn: column), !row[place].isNull
      {
        children.append((ObjectIdentifier(child), row[place]))
      }
    }
    return Step(rows: rows, row: row, key: key, children: children.reversed())
  }

  private func decode(_ step: Step) throws -> Any {
    let plan = step.rows.plan
    let key = step.rows.keyPlace.map { step.row[$0] } ?? .null
    objects.current = (plan, key)
    defer { objects.current = nil }
    return try decode(plan.type, step)
  }

  private func decode<Object: DataTable>(_ type: Object.Type, _ step: Step) throws -> Any {
    let object = try connection.decoding(
      type, columns: step.rows.columns, values: step.row, with: decoder)
    return object
  }
}

extension Connection {
  /// Decodes values as a row of these columns.
  func decoding<Object: DataTable>(
    _ type: Object.Type, columns: [String], values: [SQLiteValue], with decoder: RowDecoder
  ) throws -> Object {
    let selected = columns.map { "? AS \(SQLName.quoted($0))" }.joined(separator: ", ")
    guard
      let object = try fetchOne(decoding: type, with: decoder, "SELECT \(selected)", values: values)
    else { throw ProviderError(.schemaMismatch, "a row was not made", table: Object.tableName) }
    return object
  }
}

extension LoadedObjects {
  /// The object that a column of the current row refers to.
  fileprivate func reference(
    _ property: String, _ row: borrowing Row, _ column: ColumnIndex?
  ) throws -> Any {
    guard let plan = current?.plan,
      let child = plan.columns.first(where: { SQLName.isSame($0.name, property) })?.child,
      let column
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
        "the row leads back to itself, which only a list of links can (CrossReference)",
        table: plan.table, column: property)
    }
    throw ProviderError(
      .danglingReference, "the row refers to one of \(child.tableName) that is not there",
      table: plan.table, column: property)
  }

  /// The list of links of the current row.
  fileprivate func list(_ type: any Decodable.Type, _ property: String) throws -> Any {
    guard let current, let list = type as? any AnyCrossReference.Type,
      let links = current.plan.links.first(where: { SQLName.isSame($0.property, property) })
    else {
      throw ProviderError(
        .schemaMismatch, "the list of links is none of init()'s value", table: current?.plan.table,
        column: property)
    }
    let child = ObjectIdentifier(links.child)
    var elements: [Any] = []
    var unloaded: [RowKey] = []
    for key in linked(
      current.key, List(table: ObjectIdentifier(current.plan.type), property: links.property))
    {
      if let object = object(key, of: child) {
        elements.append(object)
      } else {
        unloaded.append(RowKey(key))
      }
    }
    guard let made = list.init(links.definition, elements: elements, unloaded: unloaded) else {
      throw ProviderError(
        .schemaMismatch, "the elements are of another type", table: current.plan.table,
        column: property)
    }
    return made
  }
}
