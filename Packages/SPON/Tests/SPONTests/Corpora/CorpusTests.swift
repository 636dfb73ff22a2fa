import SPON
import Testing

/// Documents, strings and keys of the open corpora. Without the corpora, the tests print a message
/// and pass.
@Suite struct `Corpora` {
  private struct Document: Decodable {
    let id: String?
    let spon: String
    let expected: TypedValue
  }

  @Test(arguments: ["spon_decode.jsonl", "spon_doc_examples.jsonl"])
  func `Documents are read with their types, or rejected`(_ name: String) throws {
    for document in try Corpus.lines(name, as: Document.self) {
      switch document.expected {
      case .value(let expected):
        #expect(try SPONValue(parsing: document.spon) == expected, "\(document.id ?? name)")
        let again = try SPONValue(parsing: SPONValue(parsing: document.spon).text())
        #expect(again == expected, "\(document.id ?? name)")
      case .error:
        #expect(throws: SPONError.self, "\(document.id ?? name)") {
          try SPONValue(parsing: document.spon)
        }
      }
    }
  }

  private struct Peer: Decodable {
    let spon: String?
  }

  /// Expects a round trip to preserve a value, and the text to equal the original one if the
  /// original implementation could read it.
  private func expectRoundTrip(_ value: SPONValue, peer: Peer, isRead: Bool) throws {
    for formatting in [[], .prettyPrinted, .sortedKeys] as [SPONValue.Formatting] {
      #expect(try SPONValue(parsing: value.text(formatting)) == value)
    }
    #expect(try SPONValue(parsing: value.text(version: .two)) == value)
    guard isRead, let text = peer.spon else { return }
    #expect(try SPONValue(parsing: text) == value)
    #expect(try value.text(version: .one) == text)
    #expect(try value.text() == text)
  }

  private struct Text: Decodable {
    let value: String
    let peer: Peer
    let peer_ok: Bool
  }

  @Test func `Texts survive a round trip`() throws {
    for line in try Corpus.lines("spon_string_roundtrip.jsonl", as: Text.self) {
      let value = object("Strs", ["s": .string(line.value)])
      try expectRoundTrip(value, peer: line.peer, isRead: line.peer_ok)
      try expectRoundTrip(.array([.string(line.value)]), peer: line.peer, isRead: false)
    }
  }

  private struct Texts: Decodable {
    let value: [String]
    let peer: Peer
    let peer_ok: Bool
  }

  @Test func `Arrays of texts survive a round trip`() throws {
    for line in try Corpus.lines("spon_string_array_roundtrip.jsonl", as: Texts.self) {
      let value = object("Tags", ["t": .array(line.value.map { .string($0) })])
      try expectRoundTrip(value, peer: line.peer, isRead: line.peer_ok)
      // The original implementation also escaped backticks in strings that it could not read.
      guard let text = line.peer.spon else { continue }
      #expect(try SPONValue(parsing: text) == value)
    }
  }

  private struct Key: Decodable {
    let key: String
    let peer: Peer
    let peer_ok: Bool
  }

  @Test func `Keys survive a round trip`() throws {
    for line in try Corpus.lines("spon_key_roundtrip.jsonl", as: Key.self) {
      let value = object("Dictionary", [line.key: .string("v")])
      try expectRoundTrip(value, peer: line.peer, isRead: line.peer_ok)
    }
  }

  private struct Database: Decodable {
    struct Table: Decodable {
      let columns: [String: String]
      let rows: [[String: TypedValue]]
    }
    let id: String
    let spon: String?
    let row_text: String?
    let expected_tables: [String: Table]?
  }

  @Test func `Databases are read with their tables and rows`() throws {
    for line in try Corpus.lines("spon_database.jsonl", as: Database.self) {
      if let text = line.row_text {
        let row = object("", ["id": .integer(1), "text": .string(text)])
        let table = object("Table", ["rows": .array([row, row])])
        let database = object("DataStore", ["tables": .array([table, table])])
        #expect(try SPONValue(parsing: database.text()) == database, "\(text)")
      } else if let expected = line.expected_tables {
        let database = try SPONValue(parsing: line.spon ?? "")
        let tables = elements(field("tables", of: database))
        #expect(tables.count == expected.count)
        for table in tables { try expectTable(table, among: expected) }
        #expect(try SPONValue(parsing: database.text()) == database)
      } else {
        #expect(throws: SPONError.self) { try SPONValue(parsing: line.spon ?? "") }
      }
    }
  }

  private func expectTable(_ table: SPONValue, among expected: [String: Database.Table]) throws {
    let schema = try #require(field("schema", of: table))
    guard case .string(let name)? = field("name", of: schema) else {
      Issue.record("a table without a name")
      return
    }
    let wanted = try #require(expected[name])
    var types: [String: String] = [:]
    for column in elements(field("columns", of: schema)) {
      guard case .string(let name)? = field("name", of: column),
        case .string(let type)? = field("type", of: column)
      else { continue }
      types[name] = type
    }
    #expect(types == wanted.columns)
    let rows = elements(field("rows", of: table))
    #expect(rows.count == wanted.rows.count)
    for (row, wanted) in zip(rows, wanted.rows) {
      for (column, value) in wanted {
        // A column of bytes is stored as Base64 text.
        if types[column] == "BLOB", case .bytes? = value.value {
          guard case .string(let text)? = field(column, of: row) else {
            Issue.record("\(column) is not a text")
            continue
          }
          #expect(try SPONValue(parsing: "\(text)*") == value.value)
        } else {
          #expect(field(column, of: row) == value.value, "\(name).\(column)")
        }
      }
    }
  }

  private func field(_ key: String, of value: SPONValue?) -> SPONValue? {
    guard case .object(let object)? = value else { return nil }
    return object[key]
  }

  private func elements(_ value: SPONValue?) -> [SPONValue] {
    guard case .array(let elements)? = value else { return [] }
    return elements
  }
}
