import Providers
import SQLiteCore
import Testing

/// Rows are inserted several at a time, as long as the statement is not too large.
@Suite struct `Tables of ordinary files, wide and long` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func open(_ text: String) throws -> JSONProvider {
    let provider = JSONProvider()
    try provider.openSource(atPath: folder.write(text, to: "t.json"))
    return provider
  }

  /// Writes the file without a change, and reads its content.
  private func rewritten(_ provider: JSONProvider) throws -> String {
    try provider.execute("CREATE TABLE other (x); DROP TABLE other")
    try provider.closeSource()
    return try folder.text(of: "t.json")
  }

  @Test(arguments: [1, 2, 32, 33, 513, 1_997])
  func `have all values of all columns`(_ count: Int) throws {
    let rows = (0..<(count > 600 ? 3 : 20)).map { row in
      "{" + (0..<count).map { "\"c\($0)\":\(row * 10_000 + $0)" }.joined(separator: ",") + "}"
    }
    let text = "[\(rows.joined(separator: ","))]"
    let provider = try open(text)
    let (first, last) = ("c0", "c\(count - 1)")
    #expect(
      try provider.query("SELECT sum(\(unsafe: first)), sum(\(unsafe: last)), count(*) FROM t")[0]
        .values
        == (count > 600
          ? [30_000, .integer(30_000 + 3 * Int64(count - 1)), 3]
          : [1_900_000, .integer(1_900_000 + 20 * Int64(count - 1)), 20]))
    #expect(try rewritten(provider) == text)
  }

  @Test func `can have different columns in each row`() throws {
    let text = "[\((0..<150).map { "{\"c\($0)\":\($0)}" }.joined(separator: ","))]"
    let provider = try open(text)
    #expect(try provider.query("SELECT c0, c149 FROM t WHERE c149 = 149")[0].values == [nil, 149])
    #expect(try rewritten(provider) == text)
  }

  /// SQLite has a limit of 2,000 columns for a table and for a result, including the columns that
  /// identify the row.
  @Test(arguments: [("json", 1_998), ("xml", 1_998), ("csv", 1_998), ("csv", 2_001)])
  func `have the same column limit for reading and writing`(
    _ format: String, _ count: Int
  ) throws {
    let numbers = 0..<count
    let (provider, text): (any DataProvider, String) =
      switch format {
      case "json":
        (JSONProvider(), "[{" + numbers.map { "\"c\($0)\":\($0)" }.joined(separator: ",") + "}]")
      case "xml":
        (
          XMLProvider(),
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<p><r a=\"1\"/><r "
            + numbers.map { "c\($0)=\"\($0)\"" }.joined(separator: " ") + "/></p>\n"
        )
      default:
        (
          CSVProvider(),
          numbers.map { "c\($0)" }.joined(separator: ",") + "\n"
            + numbers.map { "\($0)" }.joined(separator: ",") + "\n"
        )
      }
    let path = try folder.write(text, to: "t.\(format)")
    do {
      try provider.openSource(atPath: path)
    } catch {
      #expect((error as? ProviderError)?.code == .limitExceeded)
      #expect(try folder.text(of: "t.\(format)") == text)
      return
    }
    try provider.execute("CREATE TABLE other (x); DROP TABLE other")
    try provider.closeSource()
    #expect(try folder.text(of: "t.\(format)") == text)
  }

  @Test func `can have long texts in any row`() throws {
    let long = String(repeating: "0123456789", count: 100_000)
    let text =
      "[\((0..<20).map { "{\"a\":\($0),\"b\":\"\([3, 4, 17].contains($0) ? long : "x")\"}" }.joined(separator: ","))]"
    let provider = try open(text)
    #expect(
      try provider.query("SELECT sum(length(b)), count(*) FROM t")[0].values == [3_000_017, 20])
    #expect(try rewritten(provider) == text)
  }

  @Test(arguments: [2, 9, 16, 17, 18, 40])
  func `keep both rows with a duplicate key among others`(_ second: Int) throws {
    let rows = (1...40).map { "{\"id\":\"k\($0 == second ? 1 : $0)\",\"n\":\($0)}" }
    let text = "[\(rows.joined(separator: ","))]"
    let provider = try open(text)
    #expect(try provider.query("SELECT count(*), count(DISTINCT n) FROM t")[0].values == [40, 40])
    #expect(try rewritten(provider) == text)
  }

  /// Regardless of late changes, the rows before them are the same.
  @Test(arguments: [1, 15, 16, 17, 33])
  func `can have columns and kinds that appear late`(_ row: Int) throws {
    let rows = (1...40).map {
      "{\"id\":\($0),\"a\":\($0 == row ? "\"x\"" : "\($0)")"
        + ($0 == row + 1 ? ",\"late\":[1]}" : "}")
    }
    let text = "[\(rows.joined(separator: ","))]"
    let provider = try open(text)
    #expect(
      try provider.query("SELECT count(*), sum(id), count(late) FROM t")[0].values == [40, 820, 1])
    #expect(try rewritten(provider) == text)
  }
}
