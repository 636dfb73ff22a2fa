internal import Primitives
internal import SQLiteCore

/// Reads the tables of an ordinary document.
struct XMLTablesReader: ~Copyable {
  var reader: XMLEventReader
  var tracker: XMLStructureTracker
  var roles: XMLElementRoles
  let collector: TableCollector
  let rows: Set<String>
  let keepsWhitespace: Bool
  var layout = XMLTablesLayout()
  /// The open elements outside rows.
  var outerElements: [XMLTablesLayout.Element] = []
  var markup: XMLMarkup?
  /// The namespaces declared by elements in rows, and their number for each element.
  var scope: [XMLStructure.Declaration] = []
  var scopeCounts: [Int] = []

  var tables: [XMLTableState?] = []
  var textColumns: [Int] = []
  /// The columns by attribute slot.
  var attributeColumns: [Int] = []
  /// The builder of the row that contains each node.
  var builders: [TableCollector.Builder?] = []
  /// A white space text, which is a value if its element has no other content.
  var space: [UInt8]?
  var tableNames: Set<ExactText> = []

  /// - Parameter reader: A reader at the document's beginning that reports comments and
  ///   instructions, and also all white space if `roles` has markup.
  init(
    _ reader: consuming XMLEventReader, _ structure: XMLStructure, rows: Set<String>,
    into collector: TableCollector
  ) {
    self.reader = reader
    tracker = XMLStructureTracker(structure)
    roles = XMLElementRoles(structure, rows: rows)
    keepsWhitespace = roles.hasMarkup(in: structure)
    self.rows = rows
    self.collector = collector
  }

  /// Reads the document.
  ///
  /// - Throws: ``TableCollector/RestartPass`` if the document has a different structure, with which
  ///   it must be read again.
  mutating func read() throws -> XMLTablesLayout {
    do {
      return try readAll()
    } catch var error as ProviderError where error.position == nil && error.file == nil {
      error.position = reader.position
      throw error
    }
  }

  private mutating func readAll() throws -> XMLTablesLayout {
    grow()
    for table in roles.tables { try makeTable(table) }
    grow()
    while let event = try next() {
      var change: XMLStructure.Change = []
      switch event {
      case .startElement(let name):
        if markup != nil {
          markup?.start(reader, scope: scope)
          continue
        }
        let node = try tracker.start(name, reader, &change)
        if !change.isEmpty, try isInconsistent(by: change, node) { throw try restartPass() }
        try start(node)
      case .endElement:
        if let depth = markup?.depth, depth > 0 {
          markup?.end(reader)
          if depth > 1 || !isVerbatim { continue }
        }
        try end()
      case .text:
        if markup != nil {
          markup?.text(reader)
        } else if keepsWhitespace, reader.isWhitespace {
          recordWhitespace()
        } else {
          tracker.text(&change)
          if !change.isEmpty, try isInconsistent(by: change, tracker.open[tracker.last].node) {
            throw try restartPass()
          }
          try text()
        }
      case .comment, .processingInstruction:
        if markup != nil {
          if case .comment = event { markup?.comment(reader) } else { markup?.instruction(reader) }
        } else {
          tracker.recordCommentOrInstruction(&change)
          if !change.isEmpty, try isInconsistent(by: change, tracker.open[tracker.last].node) {
            throw try restartPass()
          }
          recordCommentOrInstruction(event)
        }
      }
    }
    finishLayout()
    return layout
  }

  /// Returns the next event that the fast path can't handle.
  private mutating func next() throws -> XMLEventReader.Event? {
    // White space, markup and content outside rows need the slow path.
    guard !keepsWhitespace, markup == nil, tracker.last >= 0 else { return try reader.next() }
    let row = roles.rowOf[tracker.open[tracker.last].node]
    guard row >= 0, let builder = builders[row] else { return try reader.next() }
    return try readKnownValues(row, builder)
  }

  /// A Boolean value that indicates whether the innermost open element is stored as markup.
  var isVerbatim: Bool { roles.roles[tracker.open[tracker.last].node] == .verbatim }

  // MARK: Structural changes

  /// Applies a change of the structure.
  ///
  /// - Returns: Whether content that was already read would be read differently.
  private mutating func isInconsistent(by change: XMLStructure.Change, _ node: Int) throws -> Bool {
    let parent = tracker.structure.nodes[node].parent
    if change == .isNew, parent >= 0, [.value, .row, .child].contains(roles.roles[parent]) {
      roles.addValue(node, in: parent)
    } else {
      let others = XMLElementRoles(tracker.structure, rows: rows)
      guard roles.isConsistent(by: others, in: tracker.structure),
        keepsWhitespace || !others.hasMarkup(in: tracker.structure)
      else { return true }
      let known = roles.tables.count
      roles = others
      grow()
      if roles.tables.count > known {
        for table in roles.tables where tables[table.node] == nil { try makeTable(table) }
      }
    }
    grow()
    return false
  }

  mutating func grow() {
    while textColumns.count < tracker.structure.nodes.count {
      textColumns.append(-1)
      tables.append(nil)
      builders.append(nil)
    }
    for node in builders.indices where builders[node] == nil && roles.rowOf[node] >= 0 {
      builders[node] = tables[roles.rowOf[node]]?.builder
    }
  }

  /// Scans the rest of the document to complete the structure, and requests another pass.
  ///
  /// - Returns: The error to throw.
  private mutating func restartPass() throws -> TableCollector.RestartPass {
    var scanner = XMLStructureScanner(tracker)
    scanner.keepsWhitespace = keepsWhitespace
    // The current event has been recorded, except for its attributes.
    let node = tracker.open[tracker.last].node
    for index in 0..<reader.attributeCount {
      _ = scanner.tracker.structure.attribute(of: node, index, reader)
    }
    while let event = try reader.next() { try scanner.scan(event, reader) }
    return collector.restartPass(with: scanner.tracker.structure)
  }

  // MARK: Events

  /// SQLite's column limit, minus the columns for the row number, the parent and the position.
  private static var maximumColumnCount: Int { 1_995 }

  @inline(__always)
  private func builder(of node: Int) -> TableCollector.Builder? { builders[node] }

  @inline(__always)
  private mutating func start(_ node: Int) throws {
    if keepsWhitespace { space = nil }
    switch roles.roles[node] {
    case .outer:
      startOuterElement()
    case .verbatim:
      if !outerElements.isEmpty { outerElements[outerElements.count - 1].elementCount += 1 }
      markup = XMLMarkup()
      markup?.start(reader, scope: [])
    case .value: try setAttributes(node)
    case .row, .child:
      try startRow(node)
      try setAttributes(node)
      if tracker.structure.states[node].isMixed { startMarkup() }
    case .markup:
      try setAttributes(node)
      startMarkup()
    }
  }

  private mutating func startMarkup() {
    markup = XMLMarkup()
    scope.append(contentsOf: reader.currentDeclarations)
    scopeCounts.append(reader.currentDeclarations.count)
  }

  private mutating func startRow(_ node: Int) throws {
    guard let state = tables[node] else { return }
    if let column = state.parentColumn, let parent = state.parent {
      state.builder.set(column, integer: parent.rowNumber)
      if let column = state.positionColumn {
        state.builder.set(
          column, integer: Int64(tracker.open[tracker.open.count - 2].elementCount))
      }
      return
    }
    guard !outerElements.isEmpty else { return }
    let last = outerElements.count - 1
    outerElements[last].elementCount += 1
    if let column = state.positionColumn {
      state.builder.set(column, integer: Int64(outerElements[last].elementCount))
    }
    outerElements[last].recordRows(of: node, isOrdered: state.layout.isOrdered)
  }

  @inline(__always)
  private mutating func setAttributes(_ node: Int) throws {
    let count = reader.attributeCount
    if count == 0 {
      if roles.roles[node].isRow, reader.isEmptyElement { tracker.setEmptyTag() }
      return
    }
    guard let builder = builder(of: node) else { return }
    tracker.setAttributes(isEmptyTag: reader.isEmptyElement)
    for index in 0..<count {
      let (attribute, slot) = tracker.structure.attribute(of: node, index, reader)
      let column =
        slot < attributeColumns.count && attributeColumns[slot] >= 0
        ? attributeColumns[slot] : attributeColumn(node, attribute)
      reader.withAttribute(at: index) { builder.set(column, field: $0) }
    }
    try builder.checkTypes()
  }

  @inline(__always)
  private mutating func text() throws {
    let node = tracker.open[tracker.last].node
    if roles.roles[node] == .outer {
      outerElements[outerElements.count - 1].content.append(.text(reader.text))
      return
    }
    let known = textColumns[node]
    let column = known >= 0 ? known : textColumn(node)
    guard let builder = builder(of: node) else { return }
    reader.withText { builder.set(column, field: $0) }
    try builder.checkTypes()
  }

  private mutating func recordWhitespace() {
    let frame = tracker.open[tracker.last]
    guard !frame.hasText, !frame.hasCommentOrInstruction, frame.elementCount == 0 else { return }
    space = reader.withText { $0.array(0..<$0.count) }
  }

  @inline(__always)
  private mutating func end() throws {
    let frame = tracker.end()
    let role = roles.roles[frame.node]
    switch role {
    case .outer: return endOuterElement(frame)
    case .verbatim:
      let bytes = markup.take()?.bytes ?? []
      if outerElements.isEmpty {
        layout.root = .markup(bytes)
      } else {
        outerElements[outerElements.count - 1].content.append(.markup(bytes))
      }
      return
    case .markup, .row, .child, .value: break
    }
    guard let builder = builder(of: frame.node) else { return }
    if let markup = markup.take() {
      scope.removeLast(scopeCounts.removeLast())
      let column = textColumn(frame.node, isMarkup: true)
      if !markup.bytes.isEmpty || !frame.isEmptyTag {
        builder.set(column, text: markup.bytes.elementSpan)
      }
    } else if !frame.hasText, frame.elementCount == 0 {
      setEmpty(frame, builder)
    }
    if role.isRow {
      // A table has at least one column.
      let count = tables[frame.node]?.indexes.count ?? 0
      if count == 0 { _ = textColumn(frame.node) }
      if count > Self.maximumColumnCount {
        throw ProviderError(
          .limitExceeded, "a table has at most \(Self.maximumColumnCount) columns here",
          table: builder.name)
      }
      try builder.endRow()
    }
  }

  /// Sets the text of an element without text and child elements.
  ///
  /// An element without attributes has an empty text. If its attributes, or its row, indicate its
  /// presence, `<a/>` has no text, and `<a></a>` has an empty one.
  private mutating func setEmpty(
    _ frame: XMLStructureTracker.Frame, _ builder: TableCollector.Builder
  ) {
    if let space = space.take() {
      builder.set(textColumn(frame.node), field: space.elementSpan)
    } else if !frame.isEmptyTag {
      builder.set(textColumn(frame.node), field: Span<UInt8>())
    }
  }

  private mutating func finishLayout() {
    layout.structure = tracker.structure
    layout.tables = tables.compactMap { $0?.finished }
  }
}
