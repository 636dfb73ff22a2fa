internal import SwiftSyntax
internal import SwiftSyntaxBuilder

/// Generates the members that make a struct a table whose rows are read without `Codable`.
struct TableWriter {
  let table: TableStruct
  /// The qualified name of the struct in the extension.
  private let type: String
  private let prefix: String

  private static let module = GeneratedCode.module

  /// - Parameter access: The modifier of each member, if it needs one.
  init(_ table: TableStruct, type: String, access: String?) {
    self.table = table
    self.type = type
    prefix = access.map { $0 + " " } ?? ""
  }

  /// The generated members, one declaration each.
  var members: [String] {
    (table.unsetRelations.isEmpty ? [] : [emptyInitializer]) + [rowInitializer, properties]
      + columns
  }

  private var emptyInitializer: String {
    lines(
      "\(prefix)nonisolated init() {",
      table.unsetRelations.map { "  self.\($0.name.text) = .init()" }, "}")
  }

  private var rowInitializer: String {
    var column = 0
    var body: [String] = []
    for property in table.properties.map(\.property) where !property.isList {
      if !property.isConstant {
        body.append("  self.\(property.access) = try row.read(at: \(column))")
      }
      column += 1
    }
    return lines(
      "\(prefix)nonisolated init(row: borrowing \(Self.module).Row) throws {", body, "}")
  }

  private var properties: String {
    let items = table.properties.map { property in
      let label = property.property.isList ? "relation" : "column"
      return "    .init(\(label): \(literal(property.key))) { $0.\(property.property.access) },"
    }
    return lines(
      "\(prefix)nonisolated static var properties: [\(Self.module).RowProperty<\(type)>] {",
      ["  ["] + items + ["  ]"], "}")
  }

  private var columns: [String] {
    let items = table.properties.filter { !$0.property.isList }.map { property in
      "  \(prefix)let \(property.property.name.text) = "
        + "\(Self.module).RelationExpression(column: \(literal(property.key)), "
        + "\\\(type).\(property.property.name.text))"
    }
    return [
      lines("\(prefix)nonisolated struct Columns: Swift.Sendable {", items, "}"),
      "\(prefix)nonisolated static var columns: Columns { Columns() }",
    ]
  }

  private func lines(_ head: String, _ body: [String], _ tail: String) -> String {
    ([head] + body + [tail]).joined(separator: "\n")
  }

  private func literal(_ text: String) -> String {
    StringLiteralExprSyntax(content: text).description
  }
}
