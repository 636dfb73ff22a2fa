import Foundation
import SQLiteCore
import Testing

@Suite struct `A folder of migrations` {
  private func folder(_ files: [String: Data], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appending(path: name)) }
    try body(folder.path(percentEncoded: false))
  }

  @Test func `is read in the order of its numbers`() throws {
    let sql = Data("CREATE TABLE t (a)".utf8)
    let names = ["10_b.sql", "9_a.sql", "0011.SQL", "last.sql", "20240131120000_c.sql"]
    var files = Dictionary(uniqueKeysWithValues: names.map { ($0, sql) })
    files[".hidden.sql"] = sql
    files["migrations.lock"] = sql
    try folder(files) { path in
      let migrations = try Migration.read(folder: path)
      #expect(migrations.map(\.name) == ["9_a", "10_b", "0011", "20240131120000_c", "last"])
    }
  }

  @Test func `is refused if two files have the same number, or a file is not text`() throws {
    try folder(["1_a.sql": Data(), "01_b.sql": Data()]) { path in
      #expect(throws: SQLiteError.self) { try Migration.read(folder: path) }
    }
    try folder(["1_a.sql": Data([0xFF])]) { path in
      #expect(throws: SQLiteError.self) { try Migration.read(folder: path) }
    }
    let missing = #expect(throws: SQLiteError.self) {
      try Migration.read(folder: "/no/such/folder")
    }
    #expect(missing?.code == .cannotOpen)
  }
}
