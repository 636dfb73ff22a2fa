import SQLiteCore
import Testing

@testable import Providers

@Suite struct `Types that the caller declares` {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  struct Case: CustomTestStringConvertible, Sendable {
    let type: TableCollector.ColumnType
    /// The texts of cells in CSV and XML, and their values.
    let cells: [(String, SQLiteValue)]
    /// A text that is not of the type; `nil` if all are.
    let wrong: String?
    var testDescription: String { type.rawValue }
  }

  static let cases = [
    Case(
      type: .integer,
      cells: [("5", 5), ("+7", 7), ("007", 7), ("1e3", 1_000), ("2.0", 2), ("-12", -12)],
      wrong: "1.5"),
    Case(
      type: .real,
      cells: [("5", 5.0), ("2.50", 2.5), ("007", 7.0), ("1e-05", 1e-05), ("3.5", 3.5)],
      wrong: "1,5"),
    Case(type: .text, cells: [("5", "5"), ("2.50", "2.50"), ("true", "true")], wrong: nil),
    Case(type: .boolean, cells: [("true", 1), ("False", 0), ("1", 1), ("0", 0)], wrong: "2"),
    Case(type: .date, cells: [("2026-11-22", "2026-11-22")], wrong: "22.11.2026"),
    Case(
      type: .dateTime,
      cells: [("2026-11-22", "2026-11-22"), ("2026-11-22T10:00", "2026-11-22T10:00")],
      wrong: "10:00"),
    Case(
      type: .json, cells: [("5", "5"), ("true", "true"), ("[1]", "[1]"), ("null", "null")],
      wrong: "[1"),
    Case(
      type: .decimal,
      cells: [
        ("5", "5"), ("2.50", "2.50"), ("007", "007"),
        ("12345678901234567890", "12345678901234567890"),
      ],
      wrong: "x"),
  ]

  @Test func `are tested for every type`() {
    #expect(Set(Self.cases.map(\.type)) == Set(TableCollector.ColumnType.allCases))
  }

  private func rewrite(_ provider: any DataProvider) throws {
    try provider.execute("CREATE TABLE other (x); DROP TABLE other")
    try provider.closeSource()
  }

  @Test(arguments: cases) func `apply to CSV, which is written unchanged`(_ each: Case) throws {
    var options = CSVProvider.Options()
    options.columnTypes = ["v": each.type]
    let provider = CSVProvider(options: options)
    let text = "n,v\n" + each.cells.map { "x,\($0.0)\n" }.joined()
    try provider.openSource(atPath: folder.write(text, to: "t.csv"))
    #expect(try provider.values("SELECT v FROM t") == each.cells.map { [$0.1] })
    let column = try provider.getTableSchema(forTableName: "t").columns[1]
    #expect(column.declaredType == each.type.rawValue)
    try rewrite(provider)
    #expect(try folder.text(of: "t.csv") == text)
    guard let wrong = each.wrong else { return }
    let bad = text + "xyz,\"\(wrong)\"\n"
    let error = providerError {
      try provider.openSource(atPath: folder.write(bad, to: "t.csv"))
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "v")
    #expect(error?.position?.line == each.cells.count + 2)
    #expect(error?.position?.column == 6)
    #expect(error?.file == "\(folder.path)/t.csv")
  }

  @Test(arguments: cases) func `apply to XML, which is written unchanged`(_ each: Case) throws {
    let options = XMLProvider.Options(columnTypes: ["r": ["v": each.type, "@a": each.type]])
    let provider = XMLProvider(options: options)
    let rows = each.cells.map { "  <r a=\"\($0.0)\">\n    <v>\($0.0)</v>\n  </r>\n" }.joined()
    let start = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<t>\n"
    let text = "\(start)\(rows)</t>\n"
    try provider.openSource(atPath: folder.write(text, to: "t.xml"))
    #expect(try provider.values("SELECT v, \"@a\" FROM r") == each.cells.map { [$0.1, $0.1] })
    try rewrite(provider)
    #expect(try folder.text(of: "t.xml") == text)
    guard let wrong = each.wrong else { return }
    let bad = "\(start)\(rows)  <r>\n    <v>\(wrong)</v>\n  </r>\n</t>\n"
    let error = providerError {
      try provider.openSource(atPath: folder.write(bad, to: "t.xml"))
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "v")
    #expect(error?.position?.line == 4 + 3 * each.cells.count)
    #expect(error?.file == "\(folder.path)/t.xml")
  }

  struct JSONCase: CustomTestStringConvertible, Sendable {
    let type: TableCollector.ColumnType
    /// The values in the file, and in the table.
    let cells: [(String, SQLiteValue)]
    let wrong: String?
    var testDescription: String { type.rawValue }
  }

  static let jsonCases = [
    JSONCase(
      type: .integer, cells: [("5", 5), ("\"7\"", 7), ("1e3", 1_000), ("2.0", 2)], wrong: "1.5"),
    JSONCase(
      type: .real, cells: [("5", 5.0), ("\"2.50\"", 2.5), ("1.50", 1.5), ("3.0", 3.0)],
      wrong: "true"),
    JSONCase(
      type: .text, cells: [("5", "5"), ("2.50", "2.50"), ("true", "true"), ("\"x\"", "x")],
      wrong: nil),
    JSONCase(
      type: .boolean, cells: [("true", 1), ("\"False\"", 0), ("1", 1), ("false", 0)], wrong: "2"),
    JSONCase(type: .date, cells: [("\"2026-11-22\"", "2026-11-22")], wrong: "20261122"),
    JSONCase(type: .dateTime, cells: [("\"2026-11-22\"", "2026-11-22")], wrong: "\"10:00\""),
    JSONCase(
      type: .json, cells: [("5", "5"), ("1.50", "1.50"), ("\"x\"", "\"x\""), ("true", "true")],
      wrong: nil),
    JSONCase(
      type: .decimal, cells: [("5", "5"), ("2.50", "2.50"), ("\"1.10\"", "1.10")],
      wrong: "\"x\""),
  ]

  @Test(arguments: jsonCases)
  func `apply to JSON, which is written unchanged`(_ each: JSONCase) throws {
    let provider = JSONProvider(options: .init(columnTypes: ["t": ["v": each.type]]))
    let rows = each.cells.map { "  {\n    \"n\": 1,\n    \"v\": \($0.0)\n  }" }
    let text = "[\n\(rows.joined(separator: ",\n"))\n]\n"
    try provider.openSource(atPath: folder.write(text, to: "t.json"))
    #expect(try provider.values("SELECT v FROM t") == each.cells.map { [$0.1] })
    try rewrite(provider)
    #expect(try folder.text(of: "t.json") == text)
    guard let wrong = each.wrong else { return }
    let bad = "[\n\(rows.joined(separator: ",\n")),\n  {\"n\": 1, \"v\": \(wrong)}]\n"
    let error = providerError {
      try provider.openSource(atPath: folder.write(bad, to: "t.json"))
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.column == "v")
    #expect(error?.position?.line == each.cells.count * 4 + 2)
    #expect(error?.file == "\(folder.path)/t.json")
  }
}
