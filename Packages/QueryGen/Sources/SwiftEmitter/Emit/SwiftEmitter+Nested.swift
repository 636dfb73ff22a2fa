import QueryModel

extension SwiftEmitter {
  /// A struct with lists that several rows of the statement fill.
  func nestingStruct(
    _ name: String, _ conformances: [String], _ shape: RowShape, _ key: RowShape.Key,
    _ writer: inout SwiftWriter
  ) {
    let all = conformances + ["Queries.NestingRow"]
    writer.block("\(typeAccess)struct \(name): \(all.joined(separator: ", "))") { writer in
      properties(shape.properties, &writer)
      writer.line()
      memberwise(shape.properties, &writer)
      writer.line()
      writer.documentation("What rows of the statement have in common that are one here.")
      writer.block(
        "\(access)static func key(of row: borrowing Row) throws(SQLiteError) -> \(key.type)"
      ) { writer in
        let values = key.columns.map { column in
          key.isTyped ? "row.read(at: \(column))" : "row.value(at: \(column))"
        }
        if values.count == 1 {
          writer.line("try \(values[0])")
        } else {
          writer.call("try [", values, "]")
        }
      }
      writer.line()
      writer.documentation("Reads the columns by their numbers, and no list's.")
      writer.block("\(access)init(row: borrowing Row) throws(SQLiteError)") { writer in
        initialize(
          shape.fields.map { ($0.field, $0.read) } + shape.lists.map { ($0.field, "[]") }, &writer)
      }
      writer.line()
      writer.documentation("Adds what a row of the statement has for the lists.")
      writer.block("\(access)mutating func append(row: borrowing Row) throws(SQLiteError)") {
        writer in
        for list in shape.lists { append(list, isAlone: shape.lists.count == 1, &writer) }
      }
    }
  }

  private func append(_ list: RowShape.List, isAlone: Bool, _ writer: inout SwiftWriter) {
    let read: String
    switch list.element {
    case .value(let value, let index): read = value.read(at: String(index))
    case .table(let field): read = field.read
    case .columns(let type, _): read = "try \(type)(row: row)"
    }
    let name = "self.\(list.field.name)"
    func append(_ writer: inout SwiftWriter) {
      if isAlone {
        writer.line("\(name).append(\(read))")
      } else {
        // Lists beside each other repeat their elements for each of the other's.
        writer.line("let element = \(read)")
        writer.line("if !\(name).contains(element) { \(name).append(element) }")
      }
    }
    if let isAbsent = list.presence.isAbsent {
      writer.block("if try !\(isAbsent)", append)
    } else if isAlone {
      append(&writer)
    } else {
      writer.block("do", append)
    }
  }
}
