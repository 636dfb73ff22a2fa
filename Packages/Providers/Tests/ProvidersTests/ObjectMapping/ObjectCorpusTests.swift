import Foundation
import SQLiteCore
import Testing

@testable import Providers

/// Cases next to the repository, if they exist.
enum ObjectCorpus {
  static func lines(_ name: String) throws -> [[String: Any]]? {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    var candidates =
      ProcessInfo.processInfo.environment["HOLT_SHARED"].map {
        [URL(fileURLWithPath: $0)]
      } ?? []
    while folder.path != "/" {
      candidates.append(folder.appendingPathComponent("shared"))
      folder.deleteLastPathComponent()
    }
    let files = candidates.map { $0.appendingPathComponent("corpora/providers/\(name)") }
    guard let file = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
      print("skipped: \(name) does not exist")
      return nil
    }
    return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).compactMap {
      try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]
    }
  }
}

@Suite struct `Objects in the original's cases` {
  struct Text: DataTable, Equatable {
    struct Part: Codable, Equatable { var text = "" }
    var id = 0
    var text = ""
    var part = Part()
    var list: [String] = []
    var map: [String: String] = [:]
  }

  @Test func `every string is preserved, as a column and in a document`() throws {
    guard let cases = try ObjectCorpus.lines("sponprovider_string_column.jsonl") else { return }
    let access = try TestAccess()
    var saved: [Text] = []
    for (number, line) in cases.enumerated() {
      let text = try #require(line["stored_string"] as? String)
      saved.append(
        Text(
          id: number, text: text, part: .init(text: text), list: [text, text], map: [text: text]))
    }
    try access.save(saved)
    #expect(try access.getRows(ofType: Text.self, orderedBy: "id") == saved)
    #expect(!cases.isEmpty)
  }

  @Test func `each case of objects has the expected result`() throws {
    guard let cases = try ObjectCorpus.lines("provider_behaviour.jsonl") else { return }
    let expected = Dictionary(
      cases.compactMap { line -> (String, String)? in
        guard let name = line["case"] as? String, let wanted = line["expected"] as? String else {
          return nil
        }
        return (name, wanted)
      }, uniquingKeysWith: { first, _ in first })
    func wanted(_ name: String) -> String? { expected[name] }
    let access = try TestAccess()

    #expect(wanted("autoIncrementingInt first id") == "1")
    #expect(try access.save(Player(name: "a")) as Int == 1)
    #expect(wanted("save() update return") == "primary key")
    #expect(try access.save(Player(id: 1, name: "b")) as Int == 1)
    #expect(wanted("make() with computedInt") == "max+1")
    try access.save([Category(), Category()])
    #expect(try access.make(Category.self).id == 3)
    #expect(wanted("Date property") == "lossless")
    var everything = Everything()
    everything.date = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
    everything.float = 1.5
    everything.i64 = 5
    everything.maybeInt = 3_000_000_000
    try access.save(everything)
    #expect(try access.getRows(ofType: Everything.self) == [everything])
    #expect(wanted("getRows startingAt:1 limitedTo:0") == "offset honoured")
    #expect(try access.getRows(ofType: Category.self, startingAt: 1, limitedTo: 0).count == 1)
    #expect(wanted("nested transaction / save([T]) inside begin") == "savepoint")
    _ = try access.write { _ in try access.save([Category()]) }
    #expect(wanted("property named order") == "quoted identifier")
    #expect(wanted("property named blob/date/text/color/bool") == "ok")
    struct Names: DataTable, Equatable {
      var id = 0
      var order = 1
      var blob = 2
      var date = 3
      var text = 4
      var color = 5
      var bool = 6
    }
    try access.save(Names())
    #expect(try access.getRows(ofType: Names.self, filteredBy: "\"order\" = 1") == [Names()])
    #expect(wanted("updateTableSchema dropped property") == "reported")
    #expect(wanted("updateTableSchema changed type") == "reported")
    #expect(wanted("save cross reference then delete parent") != nil)
  }
}
