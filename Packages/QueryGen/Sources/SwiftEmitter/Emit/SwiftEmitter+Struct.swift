import QueryModel

extension SwiftEmitter {
  /// A struct that is read from a row, column by column in their order.
  ///
  /// - Parameters:
  ///   - conformances: The protocols, without those that every such struct has.
  ///   - added: Properties that no column is.
  ///   - isEmbedded: Whether it is also read from a part of a row.
  ///   - more: Adds what else the struct has.
  func rowStruct(
    _ name: String, _ conformances: [String], _ fields: [RowField], added: [AddedProperty] = [],
    isEmbedded: Bool = false, _ writer: inout SwiftWriter,
    more: (inout SwiftWriter) -> Void = { _ in }
  ) {
    let all = conformances + ["RowDecodable"]
    writer.block("\(typeAccess)struct \(name): \(all.joined(separator: ", "))") { writer in
      properties(fields.map(\.field), &writer)
      for property in added {
        writer.line("\(access)var \(SwiftKeywords.escaped(property.name)): \(property.value)")
      }
      if conformances.contains("Codable"), options.codingKeys == .columns {
        writer.line()
        codingKeys(fields, added, &writer)
      }
      writer.line()
      memberwise(fields.map(\.field), &writer)
      writer.line()
      writer.documentation("Reads the columns by their numbers.")
      // Handed to the other initializer, the values are read into their places; assigned to properties
      // one by one, the whole value would be copied once more.
      writer.block("\(access)init(row: borrowing Row) throws(SQLiteError)") { writer in
        if isEmbedded {
          writer.line("try self.init(row: row, from: 0)")
        } else {
          initialize(fields.map { ($0.field, $0.read) }, &writer)
        }
      }
      if isEmbedded {
        writer.line()
        writer.documentation("Reads the columns that begin with the one at `first`.")
        writer.block(
          "\(access)init(row: borrowing Row, from first: Int) throws(SQLiteError)"
        ) { writer in
          initialize(fields.map { ($0.field, $0.readFromFirst) }, &writer)
        }
      }
      more(&writer)
    }
  }

  /// The columns' names, as which the properties are encoded.
  private func codingKeys(
    _ fields: [RowField], _ added: [AddedProperty], _ writer: inout SwiftWriter
  ) {
    var unique = UniqueNames()
    let keys =
      fields.map { ($0.field.escaped, $0.field.name, unique.take($0.columnName ?? $0.field.name)) }
      + added.map { (SwiftKeywords.escaped($0.name), $0.name, unique.take($0.name)) }
    writer.block("private enum CodingKeys: String, CodingKey") { writer in
      for (name, plain, key) in keys {
        writer.line("case \(name)" + (plain == key ? "" : " = \(StringLiteral.rawValue(key))"))
      }
    }
  }

  /// Hands values to the initializer that takes them all.
  func initialize(_ values: [(Field, String)], _ writer: inout SwiftWriter) {
    writer.line("self.init(")
    writer.indented { writer in
      for (index, (field, value)) in values.enumerated() {
        let end = index + 1 == values.count ? ")" : ","
        writer.line("\(field.label): \(value)\(end)")
      }
    }
  }

  /// A struct of a query's parameters.
  func inputStruct(
    _ name: String, _ fields: [Field], isCodable: Bool, _ writer: inout SwiftWriter
  ) {
    let conformances = isCodable ? "Codable, Hashable, Sendable" : "Hashable, Sendable"
    writer.block("\(typeAccess)struct \(name): \(conformances)") { writer in
      properties(fields, &writer)
      writer.line()
      memberwise(fields, &writer)
    }
  }

  func properties(_ fields: [Field], _ writer: inout SwiftWriter) {
    for field in fields {
      if let documentation = field.documentation { writer.documentation(documentation) }
      writer.line("\(access)var \(field.escaped): \(field.type)")
    }
  }

  func memberwise(_ fields: [Field], _ writer: inout SwiftWriter) {
    writer.signature("\(access)init(", fields.map(\.optionalParameter), ") {")
    writer.indented { writer in
      for field in fields { writer.line("self.\(field.name) = \(field.escaped)") }
    }
    writer.line("}")
  }
}

extension RowField {
  /// Reads it from the columns that begin with the one at `first`.
  fileprivate var readFromFirst: String {
    guard case .column(let value) = content else { return read }
    let place = columns.lowerBound
    return value.read(at: "ColumnIndex(\(place == 0 ? "first" : "first + \(place)"))")
  }
}
