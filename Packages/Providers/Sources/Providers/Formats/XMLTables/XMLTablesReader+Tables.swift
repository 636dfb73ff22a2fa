internal import Primitives
internal import SQLiteCore

// Tables and their columns, which are added as they appear.
extension XMLTablesReader {
  mutating func makeTable(_ table: XMLElementRoles.Table) throws {
    guard tables[table.node] == nil else { return }
    let structure = tracker.structure
    let own = structure.nodes[table.node].name.qualified
    let parent = table.parent.flatMap { tables[$0] }
    let container = structure.nodes[table.node].parent
    let context =
      parent?.layout.name ?? (container >= 0 ? structure.nodes[container].name.qualified : own)
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

  /// Adds the columns that are known from the structure.
  private mutating func addKnownColumns(of node: Int) {
    for attribute in tracker.structure.nodes[node].attributes.indices {
      _ = attributeColumn(node, attribute)
    }
    if tracker.structure.states[node].isMixed {
      _ = textColumn(node, isMarkup: true)
      return
    }
    if tracker.structure.states[node].hasText { _ = textColumn(node) }
    for child in tracker.structure.nodes[node].children where roles.roles[child] != .child {
      addKnownColumns(of: child)
    }
  }

  /// Returns the column of a node's text or markup.
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
    let slot = tracker.structure.nodes[node].attributes[attribute].slot
    while attributeColumns.count <= slot { attributeColumns.append(-1) }
    if attributeColumns[slot] >= 0 { return attributeColumns[slot] }
    let row = roles.rowOf[node]
    let name = tracker.structure.nodes[node].attributes[attribute].name.qualified
    let path = path(of: node, in: row) + ["@\(name)"]
    let column = addColumn(path.joined(separator: "/"), row, node, .attribute(attribute))
    attributeColumns[slot] = column
    return column
  }

  private mutating func addColumn(
    _ name: String, _ row: Int, _ node: Int, _ location: XMLTablesLayout.Location
  ) -> Int {
    guard let state = tables[row] else { return 0 }
    let column = state.column(name)
    state.layout.columns.append(
      XMLTablesLayout.Column(
        node: node, location: location, name: state.builder.columnNames[column]))
    state.indexes.append(column)
    return column
  }

  private func path(of node: Int, in row: Int) -> [String] {
    var names: [String] = []
    var at = node
    while at != row, at >= 0 {
      names.append(tracker.structure.nodes[at].name.qualified)
      at = tracker.structure.nodes[at].parent
    }
    return names.reversed()
  }
}

// The fast path for values whose elements are known from earlier rows.
extension XMLTablesReader {
  /// Reads values of the current row as long as their elements and types are known.
  ///
  /// - Returns: The first event that can't be handled here, which has not been recorded; `nil` at
  ///   the end.
  mutating func readKnownValues(_ row: Int, _ builder: TableCollector.Builder) throws
    -> XMLEventReader.Event?
  {
    // Holding the row here avoids a call to the builder for each value.
    var rowBuffer = RowBuffer()
    builder.exchange(&rowBuffer)
    defer { builder.exchange(&rowBuffer) }
    while let event = try reader.next() {
      let isTaken: Bool
      switch event {
      case .startElement(let name): isTaken = startValue(name, row, &rowBuffer)
      case .text: isTaken = setText(row, &rowBuffer)
      case .endElement: isTaken = endValue(row, &rowBuffer)
      case .comment, .processingInstruction: isTaken = false
      }
      guard isTaken else { return event }
    }
    return nil
  }

  @inline(__always)
  private mutating func startValue(
    _ name: XMLEventReader.Name, _ row: Int, _ rowBuffer: inout RowBuffer
  )
    -> Bool
  {
    let node = tracker.expected(name)
    guard node >= 0, isValue(node, row), !reader.hasNamespaces else { return false }
    let count = reader.attributeCount
    for index in 0..<count {
      let slot = tracker.structure.expectedSlot(of: node, index, reader.attributeName(at: index))
      guard slot >= 0, slot < attributeColumns.count else { return false }
      let column = attributeColumns[slot]
      guard column >= 0, reader.withAttribute(at: index, { rowBuffer.set(column, field: $0) })
      else {
        return false
      }
    }
    tracker.startExpected(node)
    if count > 0 { tracker.setAttributes(isEmptyTag: reader.isEmptyElement) }
    return true
  }

  @inline(__always)
  private mutating func setText(_ row: Int, _ rowBuffer: inout RowBuffer) -> Bool {
    let frame = tracker.open[tracker.last]
    guard roles.rowOf[frame.node] == row, !frame.hasText, !frame.hasCommentOrInstruction,
      frame.elementCount == 0
    else { return false }
    let column = textColumns[frame.node]
    guard column >= 0, reader.withText({ rowBuffer.set(column, field: $0) }) else { return false }
    tracker.setText()
    return true
  }

  @inline(__always)
  private mutating func endValue(_ row: Int, _ rowBuffer: inout RowBuffer) -> Bool {
    let frame = tracker.open[tracker.last]
    guard isValue(frame.node, row) else { return false }
    if !frame.hasText, frame.elementCount == 0, !frame.isEmptyTag {
      let column = textColumns[frame.node]
      guard column >= 0, rowBuffer.set(column, field: Span<UInt8>()) else { return false }
    }
    _ = tracker.end()
    return true
  }

  @inline(__always)
  private func isValue(_ node: Int, _ row: Int) -> Bool {
    roles.roles[node] == .value && roles.rowOf[node] == row
  }
}

// Content outside rows, which is preserved.
extension XMLTablesReader {
  mutating func startOuterElement() {
    if !outerElements.isEmpty { outerElements[outerElements.count - 1].elementCount += 1 }
    outerElements.append(
      XMLTablesLayout.Element(
        name: reader.currentWrittenName, declarations: reader.currentDeclarations,
        attributes: (0..<reader.attributeCount).map { index in
          (reader.writtenName(ofAttribute: index), reader.attribute(at: index))
        }))
    let node = tracker.open[tracker.last].node
    for index in 0..<reader.attributeCount {
      _ = tracker.structure.attribute(of: node, index, reader)
    }
  }

  mutating func endOuterElement(_ frame: XMLStructureTracker.Frame) {
    var element = outerElements.removeLast()
    if let space = space.take(), element.content.isEmpty {
      element.content.append(.text(String(decoding: space, as: UTF8.self)))
    }
    if outerElements.isEmpty {
      layout.root = .element(element)
    } else {
      outerElements[outerElements.count - 1].content.append(.element(element))
    }
  }

  mutating func recordCommentOrInstruction(_ event: XMLEventReader.Event) {
    let content: XMLTablesLayout.Content
    if case .processingInstruction(let name) = event {
      content = .instruction(reader.localName(of: name), reader.text)
    } else {
      content = .comment(reader.text)
    }
    if tracker.open.isEmpty {
      if tracker.structure.states.first?.instance ?? 0 > 0 {
        layout.after.append(content)
      } else {
        layout.before.append(content)
      }
    } else if roles.roles[tracker.open[tracker.last].node] == .outer {
      outerElements[outerElements.count - 1].content.append(content)
    }
  }
}

extension XMLTablesLayout.Element {
  /// Records the location of rows.
  mutating func recordRows(of node: Int, isOrdered: Bool) {
    if let at = content.lastIndex(where: \.isRows) {
      guard case .rows(var nodes) = content[at] else { return }
      if nodes.contains(node) { return }
      if isOrdered {
        nodes.append(node)
        content[at] = .rows(nodes)
        return
      }
    }
    if !content.contains(where: { $0.holdsRows(of: node) }) { content.append(.rows([node])) }
  }
}

extension XMLTablesLayout.Content {
  var isRows: Bool { if case .rows = self { true } else { false } }

  func holdsRows(of node: Int) -> Bool {
    if case .rows(let nodes) = self { nodes.contains(node) } else { false }
  }
}
