import Foundation
import SPON
import Testing

/// The tables of Docs/JSON.md.
@Suite struct `The page about JSON` {
  struct Row: CustomTestStringConvertible, Sendable {
    let spon: String, typed: String, plain: String
    var testDescription: String { spon }
  }

  static let rows: [Row] = {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Docs/JSON.md")
    guard let text = try? String(contentsOf: page, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, cells[1].contains("`") else { return nil }
      return Row(spon: code(cells[1]), typed: code(cells[2]), plain: code(cells[3]))
    }
  }()

  /// Returns the text between the marks of inline code.
  static func code(_ cell: Substring) -> String {
    var cell = cell.drop { $0 == " " }
    while cell.last == " " { cell.removeLast() }
    let marks = cell.prefix { $0 == "`" }.count
    var text = cell.dropFirst(marks).dropLast(marks)
    if marks > 1, text.first == " " { text = text.dropFirst().dropLast() }
    return String(text)
  }

  @Test func `has a table`() { #expect(Self.rows.count > 15) }

  @Test(arguments: rows)
  func `specifies the written text`(_ row: Row) throws {
    let value = try SPONValue(parsing: row.spon)
    #expect(try value.json() == row.typed)
    #expect(try SPONValue(json: row.typed) == value)
    if row.plain == "error" {
      let error = #expect(throws: SPONError.self) { try value.json(.plain) }
      #expect(error?.code == .notRepresentable)
    } else {
      #expect(try value.json(.plain) == row.plain)
    }
  }
}
