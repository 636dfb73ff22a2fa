internal import SQLiteCore

// The tables, and their columns as they show.
extension XMLTablesReader {
  mutating func makeTable(_ table: XMLRoles.Table) throws {
    guard tables[table.node] == nil else { return }
    let shape = tracker.shape
    let own = shape.nodes[table.node].name.qualified
    let parent = table.parent.flatMap { tables[$0] }
    let container = shape.nodes[table.node].parent
    let context =
      parent?.layout.name ?? (container >= 0 ? shape.nodes[container].name.qualified : own)
    var name = parent == nil ? own : "\(context)_\(own)"
    if tableNames.contains(name) { name = "\(context)_\(own)" }
    while !tableNames.insert(name) { name += "_" }
    let builder = collector.table(
      name, childOf: parent?.builder, by: XMLTablesLayout.parentColumn,
      to: XMLTablesLayout.numberColumn)
    let state = XMLTableState(
      builder: builder, parent: parent?.builder,
      layout: XMLTablesLayout.Table(
        node: table.node, parent: table.parent, isOrdered: table.isOrdered, name: builder.name))
    tables[table.node] = state
    addKnownColumns(of: table.node)
  }

  /// Adds the columns that the shape is known to have.
  private mutating func addKnownColumns(of node: Int) {
    for attribute in tracker.shape.nodes[node].attributes.indices {
      _ = attributeColumn(node, attribute)
    }
    if tracker.shape.tracks[node].isMixed {
      _ = textColumn(node, isMarkup: true)
      return
    }
    if tracker.shape.tracks[node].hasText { _ = textColumn(node) }
    for child in tracker.shape.nodes[node].children where roles.roles[child] != .child {
      addKnownColumns(of: child)
    }
  }

  /// The column of a node's text or of its markup.
  mutating func textColumn(_ node: Int, isMarkup: Bool = false) -> Int {
    if textColumns[node] >= 0 { return textColumns[node] }
    let row = roles.rowOf[node]
    let path = path(of: node, in: row)
    let name = isMarkup ? (path + ["#xml"]) : path.isEmpty ? ["#text"] : path
    let column = addColumn(name.joined(separator: "/"), row, node, isMarkup ? .markup : .text)
    textColumns[node] = column
    return column
  }

  mutating func attributeColumn(_ node: Int, _ attribute: Int) -> Int {
    let slot = tracker.shape.nodes[node].attributes[attribute].slot
    while attributeColumns.count <= slot { attributeColumns.append(-1) }
    if attributeColumns[slot] >= 0 { return attributeColumns[slot] }
    let row = roles.rowOf[node]
    let name = tracker.shape.nodes[node].attributes[attribute].name.qualified
    let path = path(of: node, in: row) + ["@\(name)"]
    let column = addColumn(path.joined(separator: "/"), row, node, .attribute(attribute))
    attributeColumns[slot] = column
    return column
  }

  private mutating func addColumn(
    _ name: String, _ row: Int, _ node: Int, _ place: XMLTablesLayout.Place
  ) -> Int {
    guard let state = tables[row] else { return 0 }
    let column = state.column(name)
    state.layout.columns.append(
      XMLTablesLayout.Column(node: node, place: place, name: state.builder.columnNames[column]))
    state.indexes.append(column)
    return column
  }

  private func path(of node: Int, in row: Int) -> [String] {
    var names: [String] = []
    var at = node
    while at != row, at >= 0 {
      names.append(tracker.shape.nodes[at].name.qualified)
      at = tracker.shape.nodes[at].parent
    }
    return names.reversed()
  }
}
