extension SwiftEmitter {
  /// A struct that is read from a row, column by column in their order.
  func rowStruct(
    _ name: String, _ conformances: [String], _ fields: [Field], _ writer: inout SwiftWriter
  ) {
    writer.block("\(typeAccess)struct \(name): \(conformances.joined(separator: ", "))") { writer in
      properties(fields, &writer)
      writer.line()
      memberwise(fields, &writer)
      writer.line()
      writer.documentation("Reads the columns by their numbers.")
      // Handed to the other initializer, the values are read into their places; assigned to properties
      // one by one, the whole value would be copied once more.
      writer.block("\(access)init(row: borrowing Row) throws(SQLiteError)") { writer in
        writer.line("self.init(")
        writer.indented { writer in
          for (index, field) in fields.enumerated() {
            let end = index + 1 == fields.count ? ")" : ","
            writer.line(
              "\(field.label): try row.read(\(field.type).self, at: \(index))\(end)")
          }
        }
      }
    }
  }

  /// A struct of a query's parameters.
  func inputStruct(_ name: String, _ fields: [Field], _ writer: inout SwiftWriter) {
    writer.block("\(typeAccess)struct \(name): Hashable, Sendable") { writer in
      properties(fields, &writer)
      writer.line()
      memberwise(fields, &writer)
    }
  }

  private func properties(_ fields: [Field], _ writer: inout SwiftWriter) {
    for field in fields {
      if let documentation = field.documentation { writer.documentation(documentation) }
      writer.line("\(access)var \(field.escaped): \(field.type)")
    }
  }

  private func memberwise(_ fields: [Field], _ writer: inout SwiftWriter) {
    writer.signature("\(access)init(", fields.map { "\($0.escaped): \($0.type)" }, ") {")
    writer.indented { writer in
      for field in fields { writer.line("self.\(field.name) = \(field.escaped)") }
    }
    writer.line("}")
  }
}
