internal import Primitives
internal import SQLiteCore

/// Reads the tables of a document that is not Holt's own.
struct XMLTablesReader: ~Copyable {
  var reader: XMLEventReader
  var tracker: XMLTracker
  var roles: XMLRoles
  let collector: TableCollector
  let rows: Set<String>
  let keepsWhitespace: Bool
  var layout = XMLTablesLayout()
  /// The elements around rows that are open.
  var around: [XMLTablesLayout.Element] = []
  var markup: XMLMarkup?
  /// Namespaces that elements in rows declare, and how many of them each does.
  var scope: [XMLShape.Declaration] = []
  var scopeCounts: [Int] = []

  var tables: [XMLTableState?] = []
  var textColumns: [Int] = []
  /// By the attribute's slot.
  var attributeColumns: [Int] = []
  /// The builder of the row that a node is in.
  var builders: [TableCollector.Builder?] = []
  /// A text of white space alone, which is a text if nothing else is in its element.
  var space: [UInt8]?
  var tableNames: Set<ExactText> = []

  /// - Parameter reader: At the document's beginning, with comments and instructions; with all white space
  ///   where `roles` has markup.
  init(
    _ reader: consuming XMLEventReader, _ shape: XMLShape, rows: Set<String>,
    into collector: TableCollector
  ) {
    self.reader = reader
    tracker = XMLTracker(shape)
    roles = XMLRoles(shape, rows: rows)
    keepsWhitespace = roles.hasMarkup(in: shape)
    self.rows = rows
    self.collector = collector
  }

  /// The document ends, or shows that it is to be read by another shape.
  enum Outcome {
    case done(XMLTablesLayout)
    case contradicted(XMLShape)
  }

  mutating func read() throws -> Outcome {
    do {
      return try readAll()
    } catch var error as ProviderError where error.position == nil && error.file == nil {
      error.position = reader.position
      throw error
    }
  }

  private mutating func readAll() throws -> Outcome {
    grow()
    for table in roles.tables { try makeTable(table) }
    grow()
    while let event = try next() {
      var change: XMLShape.Change = []
      switch event {
      case .startElement(let name):
        if markup != nil {
          markup?.start(reader, scope: scope)
          continue
        }
        let node = try tracker.start(name, reader, &change)
        if !change.isEmpty, try isContradicted(by: change, node) { return try scanRest() }
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
          noteSpace()
        } else {
          tracker.text(&change)
          if !change.isEmpty, try isContradicted(by: change, tracker.open[tracker.last].node) {
            return try scanRest()
          }
          text()
        }
      case .comment, .processingInstruction:
        if markup != nil {
          if case .comment = event { markup?.comment(reader) } else { markup?.instruction(reader) }
        } else {
          tracker.aside(&change)
          if !change.isEmpty, try isContradicted(by: change, tracker.open[tracker.last].node) {
            return try scanRest()
          }
          aside(event)
        }
      }
    }
    finishLayout()
    return .done(layout)
  }

  /// The next event that is not like those before it.
  private mutating func next() throws -> XMLEventReader.Event? {
    // White space, markup and what is around rows take a closer look.
    guard !keepsWhitespace, markup == nil, tracker.last >= 0 else { return try reader.next() }
    let row = roles.rowOf[tracker.open[tracker.last].node]
    guard row >= 0, let builder = builders[row] else { return try reader.next() }
    return try fill(row, builder)
  }

  /// Whether the element that is open is kept as its text, tags and all.
  var isVerbatim: Bool { roles.roles[tracker.open[tracker.last].node] == .verbatim }

  // MARK: What is new

  /// Takes up what the shape has more.
  ///
  /// - Returns: Whether what was read by it should have been read otherwise.
  private mutating func isContradicted(by change: XMLShape.Change, _ node: Int) throws -> Bool {
    let parent = tracker.shape.nodes[node].parent
    if change == .isNew, parent >= 0, [.value, .row, .child].contains(roles.roles[parent]) {
      roles.addValue(node, in: parent)
    } else {
      let others = XMLRoles(tracker.shape, rows: rows)
      guard roles.isContinued(by: others, in: tracker.shape),
        keepsWhitespace || !others.hasMarkup(in: tracker.shape)
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
    while textColumns.count < tracker.shape.nodes.count {
      textColumns.append(-1)
      tables.append(nil)
      builders.append(nil)
    }
    for node in builders.indices where builders[node] == nil && roles.rowOf[node] >= 0 {
      builders[node] = tables[roles.rowOf[node]]?.builder
    }
  }

  /// Looks at the rest, so that the whole shape is known.
  private mutating func scanRest() throws -> Outcome {
    var scan = XMLShapeScan(tracker)
    scan.keepsWhitespace = keepsWhitespace
    // The event that is current has been noted, but for its attributes.
    let node = tracker.open[tracker.last].node
    for index in 0..<reader.attributeCount {
      _ = scan.tracker.shape.attribute(of: node, index, reader)
    }
    while let event = try reader.next() { try scan.note(event, reader) }
    return .contradicted(scan.tracker.shape)
  }

  // MARK: Events

  /// Those of SQLite, without those that say which row it is and what it belongs to.
  private static var maximumColumnCount: Int { 1_995 }

  @inline(__always)
  private func builder(of node: Int) -> TableCollector.Builder? { builders[node] }

  @inline(__always)
  private mutating func start(_ node: Int) throws {
    if keepsWhitespace { space = nil }
    switch roles.roles[node] {
    case .around:
      startAround()
    case .verbatim:
      if !around.isEmpty { around[around.count - 1].elementCount += 1 }
      markup = XMLMarkup()
      markup?.start(reader, scope: [])
    case .value: setAttributes(node)
    case .row, .child:
      try startRow(node)
      setAttributes(node)
      if tracker.shape.tracks[node].isMixed { startMarkup() }
    case .markup:
      setAttributes(node)
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
    guard !around.isEmpty else { return }
    let last = around.count - 1
    around[last].elementCount += 1
    if let column = state.positionColumn {
      state.builder.set(column, integer: Int64(around[last].elementCount))
    }
    around[last].noteRows(of: node, isOrdered: state.layout.isOrdered)
  }

  @inline(__always)
  private mutating func setAttributes(_ node: Int) {
    let count = reader.attributeCount
    if count == 0 {
      if roles.roles[node].isRow, reader.isEmptyElement { tracker.setEmptyTag() }
      return
    }
    guard let builder = builder(of: node) else { return }
    tracker.setAttributes(isEmptyTag: reader.isEmptyElement)
    for index in 0..<count {
      let (place, slot) = tracker.shape.attribute(of: node, index, reader)
      let column =
        slot < attributeColumns.count && attributeColumns[slot] >= 0
        ? attributeColumns[slot] : attributeColumn(node, place)
      reader.withAttribute(at: index) { builder.set(column, field: $0) }
    }
  }

  @inline(__always)
  private mutating func text() {
    let node = tracker.open[tracker.last].node
    if roles.roles[node] == .around {
      around[around.count - 1].content.append(.text(reader.text))
      return
    }
    let known = textColumns[node]
    let column = known >= 0 ? known : textColumn(node)
    guard let builder = builder(of: node) else { return }
    reader.withText { builder.set(column, field: $0) }
  }

  private mutating func noteSpace() {
    let frame = tracker.open[tracker.last]
    guard !frame.hasText, !frame.hasAside, frame.elementCount == 0 else { return }
    space = reader.withText { $0.array(0..<$0.count) }
  }

  @inline(__always)
  private mutating func end() throws {
    let frame = tracker.end()
    let role = roles.roles[frame.node]
    switch role {
    case .around: return endAround(frame)
    case .verbatim:
      let bytes = markup.take()?.bytes ?? []
      if around.isEmpty {
        layout.root = .markup(bytes)
      } else {
        around[around.count - 1].content.append(.markup(bytes))
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
      // A table has a column.
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

  /// Sets the text of an element that has neither text nor elements.
  ///
  /// An element that is nothing but its text has an empty one. Where its attributes, or the row, show that it is
  /// there, `<a/>` has none, and `<a></a>` an empty one.
  private mutating func setEmpty(_ frame: XMLTracker.Frame, _ builder: TableCollector.Builder) {
    if let space = space.take() {
      builder.set(textColumn(frame.node), field: space.elementSpan)
    } else if !frame.isEmptyTag {
      builder.set(textColumn(frame.node), field: Span<UInt8>())
    }
  }

  private mutating func finishLayout() {
    layout.shape = tracker.shape
    layout.tables = tables.compactMap { $0?.finished }
  }
}
