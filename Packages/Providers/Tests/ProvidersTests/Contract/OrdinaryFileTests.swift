import ProviderTesting
import Providers
import SQLiteCore
import Testing

/// Common properties of files that were not created by a provider.
@Suite struct `An ordinary file` {
  struct File: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var testDescription: String { name }

    /// Two columns whose names are equal in Swift and distinct in SQLite.
    static let all = [
      File(name: "t.json", text: "[{\"\u{e9}\":1,\"e\u{301}\":2},{\"\u{e9}\":3,\"e\u{301}\":4}]"),
      File(name: "t.csv", text: "\u{e9},e\u{301}\n1,2\n3,4\n"),
    ]
  }

  private func open(_ file: File, in folder: TemporaryFolder) throws -> any DataProvider {
    let candidate = try #require(
      Candidates.files.first { file.name.hasSuffix(".\($0.fileExtension)") })
    let provider = candidate.make(folder.directories)
    try provider.openSource(file.name)
    return provider
  }

  @Test(arguments: File.all)
  func `distinguishes columns by their bytes`(_ file: File) throws {
    let folder = try TemporaryFolder()
    try folder.write(file.text, to: "documents/\(file.name)")
    let provider = try open(file, in: folder)
    #expect(try provider.query("SELECT * FROM t").map(\.values) == [[1, 2], [3, 4]])
    let columns = try provider.query("SELECT * FROM t").columns.map(SQLName.quoted)
    try #require(columns.count == 2)
    try provider.execute("UPDATE t SET \(unsafe: columns[1]) = 9 WHERE \(unsafe: columns[0]) = 3")
    try provider.closeSource()
    let again = try open(file, in: folder)
    #expect(try again.query("SELECT * FROM t").map(\.values) == [[1, 2], [3, 9]])
    try again.closeSource()
  }
}
