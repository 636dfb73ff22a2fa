internal import Primitives
internal import SQLiteCore

// Values of a row that are as those of the rows before it.
extension XMLTablesReader {
  /// Takes values of the row that is open, as long as nothing is new about them.
  ///
  /// - Returns: The first event that says more, of which nothing was noted; `nil` at the end.
  mutating func fill(_ row: Int, _ builder: TableCollector.Builder) throws -> XMLEventReader.Event?
  {
    // The row is held here, so that the builder need not be asked with each value.
    var draft = RowDraft()
    builder.exchange(&draft)
    defer { builder.exchange(&draft) }
    while let event = try reader.next() {
      let isTaken: Bool
      switch event {
      case .startElement(let name): isTaken = startValue(name, row, &draft)
      case .text: isTaken = setText(row, &draft)
      case .endElement: isTaken = endValue(row, &draft)
      case .comment, .processingInstruction: isTaken = false
      }
      guard isTaken else { return event }
    }
    return nil
  }

  @inline(__always)
  private mutating func startValue(_ name: XMLEventReader.Name, _ row: Int, _ draft: inout RowDraft)
    -> Bool
  {
    let node = tracker.expected(name)
    guard node >= 0, isValue(node, row), !reader.hasNamespaces else { return false }
    let count = reader.attributeCount
    for index in 0..<count {
      let slot = tracker.shape.expectedSlot(of: node, index, reader.attributeName(at: index))
      guard slot >= 0, slot < attributeColumns.count else { return false }
      let column = attributeColumns[slot]
      guard column >= 0, reader.withAttribute(at: index, { draft.set(column, field: $0) }) else {
        return false
      }
    }
    tracker.startExpected(node)
    if count > 0 { tracker.setAttributes(isEmptyTag: reader.isEmptyElement) }
    return true
  }

  @inline(__always)
  private mutating func setText(_ row: Int, _ draft: inout RowDraft) -> Bool {
    let frame = tracker.open[tracker.last]
    guard roles.rowOf[frame.node] == row, !frame.hasText, !frame.hasAside,
      frame.elementCount == 0
    else { return false }
    let column = textColumns[frame.node]
    guard column >= 0, reader.withText({ draft.set(column, field: $0) }) else { return false }
    tracker.setText()
    return true
  }

  @inline(__always)
  private mutating func endValue(_ row: Int, _ draft: inout RowDraft) -> Bool {
    let frame = tracker.open[tracker.last]
    guard isValue(frame.node, row) else { return false }
    if !frame.hasText, frame.elementCount == 0, !frame.isEmptyTag {
      let column = textColumns[frame.node]
      guard column >= 0, draft.set(column, field: Span<UInt8>()) else { return false }
    }
    _ = tracker.end()
    return true
  }

  @inline(__always)
  private func isValue(_ node: Int, _ row: Int) -> Bool {
    roles.roles[node] == .value && roles.rowOf[node] == row
  }
}
