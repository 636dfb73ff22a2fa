internal import SQLiteCore

/// The plan for writing the rows of a table: an element, and the columns of its content.
struct XMLRowPlan {
  let table: XMLTablesLayout.Table
  var element: Element
  /// The selected columns, after the rowid, the parent and the position.
  var columns: [Column] = []
  var sql = ""
  var hasPosition = false

  struct Column {
    let name: String
    let type: ValueType
    let form: TableCollector.ColumnForm
    /// The number of the column in ``Spellings``.
    var spelled: Int64?
  }

  /// An element, with the columns of its content.
  struct Element {
    let name: XMLStructure.Name
    let written: XMLEventWriter.Name
    /// The element's node; `nil` if no file had the element.
    let node: Int?
    var declarations: [XMLStructure.Declaration] = []
    /// The attributes, with their columns.
    var attributes: [(name: XMLStructure.Name, written: XMLEventWriter.Name, column: Int)] = []
    /// The column of the text or markup.
    var text: Int?
    var isMarkup = false
    var children: [Child] = []

    var hasRows: Bool { children.contains { if case .rows = $0 { true } else { false } } }
  }

  enum Child {
    case element(Element)
    /// The rows of the table of a node.
    case rows(Int)
  }

  /// The number of columns that precede the plan's columns in the query.
  static let firstColumn = 3

  /// - Parameters:
  ///   - schema: The table's current columns.
  ///   - rowIDColumn: The column that is an alias of the rowid.
  init(
    _ table: XMLTablesLayout.Table, _ layout: XMLTablesLayout, _ schema: [TableSchema.Column],
    rowIDColumn: String?
  ) throws(ProviderError) {
    self.table = table
    var indexes: [Int: [XMLTablesLayout.Location: Int]] = [:]
    for column in table.columns {
      guard let found = schema.first(where: { $0.name.isExactly(column.name) }) else { continue }
      indexes[column.node, default: [:]][column.location] = columns.count
      columns.append(Column(found, column.form))
    }
    element = try Self.element(table.node, layout, indexes)
    var known = Set<ExactText>(texts: table.columns.map(\.name))
    if table.parent != nil || table.isOrdered {
      known.insert(XMLTablesLayout.positionColumn)
      known.insert(XMLTablesLayout.parentColumn)
    }
    if layout.tables.contains(where: { $0.parent == table.node }), let rowIDColumn {
      known.insert(rowIDColumn)
    }
    hasPosition = schema.contains { $0.name == XMLTablesLayout.positionColumn }
    for column in schema where column.kind == .stored && !known.contains(column.name) {
      columns.append(Column(column, TableCollector.ColumnForm()))
      do {
        try element.add(
          column.name.split(separator: "/", omittingEmptySubsequences: false)[...],
          columns.count - 1)
      } catch {
        throw XMLFormat.unrepresentable(
          "the name of a new column is not a valid path of XML elements and attributes",
          table: table.name, column: column.name)
      }
    }
  }

  private static func element(
    _ node: Int, _ layout: XMLTablesLayout, _ indexes: [Int: [XMLTablesLayout.Location: Int]]
  ) throws(ProviderError) -> Element {
    let known = layout.structure.nodes[node]
    var element = Element(
      name: known.name, written: try XMLEventWriter.Name(known.name.qualified), node: node)
    element.declarations = known.declarations
    for (at, attribute) in known.attributes.enumerated() {
      guard let column = indexes[node]?[.attribute(at)] else { continue }
      element.attributes.append(
        (attribute.name, try XMLEventWriter.Name(attribute.name.qualified), column))
    }
    element.text = indexes[node]?[.text]
    if let column = indexes[node]?[.markup] {
      element.text = column
      element.isMarkup = true
    }
    for child in known.children {
      if layout.tables.contains(where: { $0.node == child }) {
        element.children.append(.rows(child))
      } else if !layout.structure.states[node].isMixed {
        element.children.append(.element(try self.element(child, layout, indexes)))
      }
    }
    return element
  }
}

extension XMLRowPlan.Column {
  fileprivate init(_ column: TableSchema.Column, _ form: TableCollector.ColumnForm) {
    self.init(name: column.name, type: ValueType(declared: column.declaredType), form: form)
  }
}

extension XMLRowPlan.Element {
  /// Adds a column that the file did not have, at its path.
  fileprivate mutating func add(
    _ path: ArraySlice<Substring>, _ column: Int
  ) throws(ProviderError) {
    guard let first = path.first else {
      guard text == nil else { throw Self.nameInUse }
      text = column
      return
    }
    let rest = path.dropFirst()
    if rest.isEmpty, first == "#text" || first == "#xml" {
      guard text == nil else { throw Self.nameInUse }
      text = column
      isMarkup = first == "#xml"
    } else if rest.isEmpty, first.hasPrefix("@") {
      let name = Self.name(String(first.dropFirst()))
      let written = try XMLEventWriter.Name(name.qualified)
      guard !attributes.contains(where: { $0.written == written }) else { throw Self.nameInUse }
      attributes.append((name, written, column))
    } else if let at = children.firstIndex(where: { $0.isElement(String(first)) }),
      case .element(var element) = children[at]
    {
      try element.add(rest, column)
      children[at] = .element(element)
    } else {
      let name = Self.name(String(first))
      var element = XMLRowPlan.Element(
        name: name, written: try XMLEventWriter.Name(name.qualified), node: nil)
      try element.add(rest, column)
      children.append(.element(element))
    }
  }

  private static let nameInUse = ProviderError(.unrepresentable, "the name is in use")

  /// Returns a name whose prefix refers to a namespace in scope where the name is written.
  private static func name(_ qualified: String) -> XMLStructure.Name {
    let parts = qualified.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2
      ? XMLStructure.Name(prefix: String(parts[0]), local: String(parts[1]), namespace: nil)
      : XMLStructure.Name(prefix: nil, local: qualified, namespace: nil)
  }
}

extension XMLRowPlan.Child {
  fileprivate func isElement(_ name: String) -> Bool {
    if case .element(let element) = self { element.name.qualified.isExactly(name) } else { false }
  }
}
