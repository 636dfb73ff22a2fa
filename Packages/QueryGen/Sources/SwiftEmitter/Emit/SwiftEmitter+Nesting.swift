import QueryModel

extension SwiftEmitter {
  /// Generates a struct with lists that are filled from several rows of the statement.
  ///
  /// - Parameter isRepeated: Whether the elements of a list are repeated for those of others.
  func nestingStruct(
    _ name: String, _ conformances: [String], _ shape: RowLayout, _ key: RowLayout.Key,
    isRepeated: Bool, _ writer: inout SwiftWriter
  ) {
    let all = conformances + ["Queries.NestingRow"]
    writer.block("\(typeAccess)struct \(name): \(all.joined(separator: ", "))") { writer in
      properties(shape.properties, &writer)
      writer.line()
      memberwise(shape.properties, &writer)
      writer.line()
      writer.documentation("Returns the key by which rows of the statement are merged.")
      writer.block(
        "\(access)static func key(of row: borrowing Row) throws(SQLiteError) -> \(key.type)"
      ) { writer in
        let values = key.values
        if values.count == 1 {
          writer.line("try \(values[0])")
        } else {
          writer.call("try [", values, "]")
        }
      }
      writer.line()
      writer.documentation("Reads the columns by index, except the columns of the lists.")
      writer.block("\(access)init(row: borrowing Row) throws(SQLiteError)") { writer in
        initialize(
          shape.fields.map { ($0.field, $0.read) } + shape.lists.map { ($0.field, "[]") }, &writer)
      }
      writer.line()
      lists(of: name, shape, isRepeated: isRepeated, &writer)
    }
  }

  /// Generates the struct that fills the lists.
  private func lists(
    of name: String, _ shape: RowLayout, isRepeated: Bool, _ writer: inout SwiftWriter
  ) {
    writer.documentation("Fills the lists while the statement's rows are read.")
    writer.block("\(typeAccess)struct Lists: Queries.NestedLists") { writer in
      var isEmpty = true
      for list in shape.lists {
        let type: String
        if case .nesting(let element, _) = list.element {
          type = "NestedRowBuilder<\(element)>"
        } else if isRepeated {
          type = "ElementKeys<\(list.key.type)>"
        } else {
          continue
        }
        writer.line("private var \(list.field.escaped) = Queries.\(type)()")
        isEmpty = false
      }
      if !isEmpty { writer.line() }
      writer.line("\(access)init() {}")
      writer.line()
      writer.line("\(access)mutating func append(")
      writer.indented { $0.line("row: borrowing Row, to value: inout \(name), at place: Int") }
      writer.block(") throws") { writer in
        for list in shape.lists { append(list, isRepeated: isRepeated, &writer) }
      }
      let nested = shape.lists.filter { if case .nesting = $0.element { true } else { false } }
      guard !nested.isEmpty else { return }
      writer.line()
      writer.block("\(access)mutating func finish(_ values: inout [\(name)])") { writer in
        for list in nested {
          let name = list.field.name
          writer.line(
            "self.\(name).finish { place, element in values[place].\(name).append(element) }")
        }
      }
    }
  }

  /// Generates the code that appends the element of a statement's row to a list.
  private func append(_ list: RowLayout.List, isRepeated: Bool, _ writer: inout SwiftWriter) {
    let name = list.field.name
    var read = ""
    switch list.element {
    case .value(let value, let index): read = value.read(at: String(index))
    case .table(let field): read = field.read
    case .columns(let type, _): read = "try \(type)(row: row)"
    case .nesting: break
    }
    var conditions: [String] = []
    if let absenceTest = list.presence.absenceTest { conditions.append("try !\(absenceTest)") }
    let body: String
    if case .nesting = list.element {
      body = "try self.\(name).add(row, in: place)"
    } else {
      body = "value.\(name).append(\(read))"
      if isRepeated {
        // In a join of several lists, each list's elements are repeated for the others.
        let values = list.key.values.joined(separator: ", ")
        let key = list.key.values.count == 1 ? values : "[\(values)]"
        conditions.append("try self.\(name).insert(\(key), in: place)")
      }
    }
    guard !conditions.isEmpty else {
      writer.line(body)
      return
    }
    let head = "if " + conditions.joined(separator: ", ")
    guard !writer.fits(head + " {") else {
      writer.block(head) { $0.line(body) }
      return
    }
    writer.line("if " + conditions[0] + (conditions.count > 1 ? "," : ""))
    writer.indented { writer in
      for condition in conditions.dropFirst() { writer.line(condition) }
    }
    writer.line("{")
    writer.indented { $0.line(body) }
    writer.line("}")
  }
}

extension RowLayout.Key {
  /// The code that reads the columns, without `try`.
  fileprivate var values: [String] {
    columns.map { isTyped ? "row.read(at: \($0))" : "row.value(at: \($0))" }
  }
}
