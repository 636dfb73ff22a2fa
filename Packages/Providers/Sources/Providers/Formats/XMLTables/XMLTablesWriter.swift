internal import Primitives
internal import SQLiteCore

/// Writes tables into the document that they were read from.
struct XMLTablesWriter: ~Copyable {
  private var writer: XMLEventWriter
  private let layout: XMLTablesLayout
  private let cursors: [Int: XMLRowCursor]
  private var scope = XMLScope()

  init(_ layout: XMLTablesLayout, _ connection: Connection, to output: SourceSession.ByteOutput)
    throws
  {
    // Throwing calls come first, because a partially initialized noncopyable value can't be
    // destroyed.
    let cursors = try XMLRowCursor.all(layout, connection)
    writer = XMLEventWriter(indentation: layout.indentation) { try output.write($0) }
    self.layout = layout
    self.cursors = cursors
  }

  consuming func write() throws {
    for content in layout.before { try write(content) }
    if let type = layout.documentType { writer.documentType(type) }
    if case .rows = layout.root {
      guard let cursor = cursors[0], cursor.hasRow else {
        throw XMLFormat.unrepresentable(
          "the document is the only row of this table, but the table has none",
          table: layout.tables.first?.name)
      }
      try writeRow(cursor)
      guard !cursor.hasRow else {
        throw XMLFormat.unrepresentable(
          "the document is the only row of this table, but the table has more",
          table: cursor.plan.table.name)
      }
    } else {
      try write(layout.root)
    }
    for content in layout.after { try write(content) }
    for cursor in cursors.values where cursor.hasRow {
      throw XMLFormat.unrepresentable(
        "the document has no place for the rows", table: cursor.plan.table.name)
    }
    _ = try writer.finish()
  }

  // MARK: Outside rows

  private mutating func write(_ content: XMLTablesLayout.Content) throws {
    switch content {
    case .element(let element): try write(element)
    case .text(let text): try writer.text(text)
    case .comment(let text): try writer.comment(text)
    case .instruction(let target, let text): try writer.processingInstruction(target, text)
    case .markup(let bytes): try writer.markup(bytes.elementSpan, isElement: true)
    case .rows(let nodes):
      for node in nodes {
        guard let cursor = cursors[node] else { continue }
        while cursor.hasRow { try writeRow(cursor) }
      }
    }
  }

  private mutating func write(_ element: XMLTablesLayout.Element) throws {
    try writer.start(XMLEventWriter.Name(element.name.qualified))
    scope.open()
    for declaration in element.declarations { try scope.declare(declaration, in: &writer) }
    for (name, value) in element.attributes {
      try writer.attribute(XMLEventWriter.Name(name.qualified), value)
    }
    var position: Int64 = 1
    var at = 0
    while at < element.content.count {
      let content = element.content[at]
      at += 1
      switch content {
      case .rows(let nodes) where isOrdered(nodes):
        // Write rows at their positions, and the other elements between them.
        while let cursor = next(among: nodes) {
          let isDue = cursor.position.map { $0 <= position } ?? false
          if !isDue, let other = element.content[at...].firstIndex(where: \.isElement) {
            for content in element.content[at...other] { try write(content) }
            at = other + 1
          } else {
            try writeRow(cursor)
          }
          position += 1
        }
      default:
        if content.isElement { position += 1 }
        try write(content)
      }
    }
    scope.close()
    try writer.end()
  }

  private func isOrdered(_ nodes: [Int]) -> Bool {
    nodes.contains { node in layout.tables.contains { $0.node == node && $0.isOrdered } }
  }

  /// Returns the table whose next row is first; rows without a position are last.
  private func next(among nodes: [Int]) -> XMLRowCursor? {
    let cursors = nodes.compactMap { self.cursors[$0] }.filter { $0.hasRow }
    return cursors.min { ($0.position ?? .max) < ($1.position ?? .max) }
  }

  // MARK: Rows

  /// Writes a cursor's current row, and advances to the next.
  private mutating func writeRow(_ cursor: XMLRowCursor) throws {
    do {
      try write(cursor.plan.element, cursor)
    } catch let error as ProviderError
      where error.table == nil && error.code == .unrepresentable
    {
      throw XMLFormat.unrepresentable(
        "\(error.message), in row \(cursor.count)", table: cursor.plan.table.name,
        column: error.column)
    }
    try cursor.advance()
  }

  private mutating func write(_ element: XMLRowPlan.Element, _ cursor: XMLRowCursor) throws {
    try writer.start(element.written)
    scope.open()
    for declaration in element.declarations { try scope.declare(declaration, in: &writer) }
    if element.node != nil { try scope.declare(element.name, isAttribute: false, in: &writer) }
    // A row and an element with attributes need an end tag to distinguish an empty text from NULL.
    var isShown = element.node != cursor.plan.table.node
    for attribute in element.attributes where try !cursor.isNull(attribute.column) {
      isShown = false
      if attribute.name.namespace != nil {
        try scope.declare(attribute.name, isAttribute: true, in: &writer)
      }
      let written = attribute.written
      try cursor.withText(of: attribute.column) { try writer.attribute(written, $0) }
    }
    if let text = element.text, try !cursor.isNull(text) {
      guard try !hasElements(element, cursor) else {
        throw ProviderError(
          .unrepresentable, "an element can't contain both a text and elements",
          column: cursor.plan.columns[text].name)
      }
      if !isShown { try writer.beginContent() }
      if element.isMarkup {
        try writeMarkup(cursor, text)
      } else {
        try cursor.withText(of: text) { try writer.text($0) }
      }
    } else if element.hasRows {
      try writeOrdered(element, cursor)
    } else {
      for case .element(let child) in element.children where try hasContent(child, cursor) {
        try write(child, cursor)
      }
    }
    scope.close()
    try writer.end()
  }

  /// Writes the child elements of an element that also contains rows of other tables.
  private mutating func writeOrdered(
    _ element: XMLRowPlan.Element, _ cursor: XMLRowCursor
  ) throws {
    var singles: [XMLRowPlan.Element] = []
    for case .element(let child) in element.children where try hasContent(child, cursor) {
      singles.append(child)
    }
    var position: Int64 = 1
    var at = 0
    while true {
      let row = nextRow(in: element, cursor)
      let isDue = row?.position.map { $0 <= position } ?? false
      if let row, isDue || at == singles.count {
        try writeRow(row)
      } else if at < singles.count {
        try write(singles[at], cursor)
        at += 1
      } else {
        return
      }
      position += 1
    }
  }

  /// Returns the next row of a child table in this element.
  private func nextRow(
    in element: XMLRowPlan.Element, _ cursor: XMLRowCursor
  ) -> XMLRowCursor? {
    var first: XMLRowCursor?
    for case .rows(let node) in element.children {
      guard let child = cursors[node], child.hasRow, child.parent == cursor.rowID else { continue }
      if first == nil || (child.position ?? .max) < (first?.position ?? .max) { first = child }
    }
    return first
  }

  /// Returns whether an element is written: whether any of its content is not NULL.
  private func hasContent(_ element: XMLRowPlan.Element, _ cursor: XMLRowCursor) throws -> Bool {
    for attribute in element.attributes where try !cursor.isNull(attribute.column) { return true }
    if let text = element.text, try !cursor.isNull(text) { return true }
    return try hasElements(element, cursor)
  }

  private func hasElements(_ element: XMLRowPlan.Element, _ cursor: XMLRowCursor) throws -> Bool {
    if nextRow(in: element, cursor) != nil { return true }
    for case .element(let child) in element.children where try hasContent(child, cursor) {
      return true
    }
    return false
  }

  // MARK: Markup

  private mutating func writeMarkup(_ cursor: XMLRowCursor, _ column: Int) throws {
    let declared = scope.current
    try cursor.withText(of: column) { markup throws in
      try Self.check(markup, declared, column: cursor.plan.columns[column].name)
      try writer.markup(markup, isElement: false)
    }
  }

  /// Refuses markup that is not well-formed in its context.
  private static func check(
    _ markup: Span<UInt8>, _ declared: [XMLStructure.Declaration], column: String
  ) throws {
    // A text without tags and references need not be parsed.
    var isPlain = true
    for index in markup.indices where markup[index] == 0x3C || markup[index] == 0x26 {
      isPlain = false
    }
    if isPlain, XMLEventReader.Text.canHold(markup) { return }
    var document: [UInt8] = Array("<x".utf8)
    for declaration in declared where declaration.prefix != nil || !declaration.namespace.isEmpty {
      document.append(utf8: declaration.prefix.map { " xmlns:\($0)=\"" } ?? " xmlns=\"")
      declaration.namespace.withUTF8Span {
        XMLEventReader.Text.append($0, escapingFor: .attribute, to: &document)
      }
      document.append(0x22)
    }
    document.append(0x3E)
    document.append(markup)
    document.append(utf8: "</x>")
    do {
      var reader = try XMLEventReader(bytes: document)
      while try reader.next() != nil {}
    } catch let error as ProviderError {
      throw ProviderError(
        .unrepresentable, "the text is not XML: \(error.message)", column: column)
    }
  }
}

extension XMLTablesLayout.Content {
  fileprivate var isElement: Bool {
    switch self {
    case .element, .markup: true
    case .text, .comment, .instruction, .rows: false
    }
  }
}
