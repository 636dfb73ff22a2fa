import Foundation
import SQLiteCore
import Testing

@_spi(Formats) @testable import Providers

extension TemporaryFolder {
  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// A provider with a text as its open file.
  func open(
    _ text: String, as name: String = "people.json", _ options: JSONProvider.Options = .init()
  ) throws -> JSONProvider {
    try write(Array(text.utf8), to: name)
    let provider = JSONProvider(options: options)
    try provider.openSource(atPath: path(name))
    return provider
  }

  /// Returns the text after executing statements.
  func changed(
    _ text: String, as name: String = "people.json", _ options: JSONProvider.Options = .init(),
    by statements: String...
  ) throws -> String {
    let provider = try open(text, as: name, options)
    for statement in statements { try provider.execute(SQL(unsafe: statement)) }
    try provider.saveSource(atPath: path("out-\(name)"))
    return try self.text(of: "out-\(name)")
  }

  /// Returns the error with which a text is refused.
  func refusal(
    of text: String, as name: String = "people.json", _ options: JSONProvider.Options = .init()
  ) throws -> ProviderError {
    try #require(throws: ProviderError.self) { _ = try open(text, as: name, options) }
  }
}

extension JSONProvider {
  /// Returns the rows of a query as a text: values separated by commas, rows by line breaks.
  func rows(_ sql: String) throws -> String {
    try query(SQL(unsafe: sql)).map { $0.values.map(\.description).joined(separator: ", ") }
      .joined(separator: "\n")
  }

  func columns(of table: String) throws -> [String] {
    try getTableSchema(forTableName: table).columns.map {
      "\($0.name) \($0.declaredType)".trimmingCharacters(in: .whitespaces)
    }
  }
}

extension JSONTree {
  /// Returns a canonical form: with sorted members, and integers if possible.
  var normalized: JSONTree {
    switch self {
    case .object(let members):
      .object(
        members.map { JSONMember($0.key, $0.value.normalized) }.sorted {
          $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
        })
    case .array(let elements): .array(elements.map(\.normalized))
    case .double(let value): Int64(exactly: value).map { .integer($0) } ?? self
    case .null, .bool, .integer, .number, .string: self
    }
  }
}
