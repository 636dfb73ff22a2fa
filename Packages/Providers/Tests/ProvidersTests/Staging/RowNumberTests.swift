import Foundation
import Providers
import SQLiteCore
import Testing

@Suite struct `Rowids` {
  /// Layouts that represent a whole database.
  enum Target: String, CaseIterable, Sendable {
    case json, xml, spon, copy

    func make() -> any DataProvider {
      switch self {
      case .json: JSONProvider()
      case .xml: XMLProvider()
      case .spon: SPONProvider()
      case .copy: SQLiteProvider()
      }
    }
  }

  /// Keys that are aliases of the rowid, and other keys.
  private static let keys = [
    "INTEGER PRIMARY KEY DESC", "INTEGER PRIMARY KEY", "integer primary key asc", "INT PRIMARY KEY",
    "INTEGER UNIQUE", "TEXT PRIMARY KEY", "INTEGER, PRIMARY KEY (id DESC)",
    "INTEGER, PRIMARY KEY (id, description)",
  ]

  @Test(arguments: Target.allCases, keys)
  func `are preserved, regardless of the key`(_ target: Target, _ key: String) throws {
    let folder = try TemporaryFolder()
    let first = Target.copy == target ? SQLiteProvider() : target.make()
    try first.openSource(atPath: "\(folder.path)/first.\(target.rawValue)")
    // A table constraint follows the columns.
    let parts = key.split(separator: ",", maxSplits: 1).map(String.init) + [""]
    let constraint = parts[1].isEmpty ? "" : ",\(parts[1])"
    try first.execute(
      "CREATE TABLE t (id \(unsafe: parts[0]), description TEXT\(unsafe: constraint))")
    try first.execute(
      "INSERT INTO t (id, description) VALUES (4, 'a'), (2, 'b'), (9, 'c'), (7, 'd')")
    try first.execute("DELETE FROM t WHERE id = 4 OR id = 9")
    let sql = "SELECT rowid, id, description FROM t ORDER BY description"
    let before = try first.query(SQL(unsafe: sql)).map(\.values)

    let second = target.make()
    if target == .copy {
      try second.openSource(atPath: "\(folder.path)/second.db")
      try DataTransfer().copy(from: first, to: second)
    } else {
      try first.closeSource()
      try second.openSource(atPath: "\(folder.path)/first.\(target.rawValue)")
    }
    #expect(try second.query(SQL(unsafe: sql)).map(\.values) == before)
    try second.closeSource()
  }

  @Test(arguments: [Target.json, .xml, .spon])
  func `are not written if a key is an alias`(_ target: Target) throws {
    let folder = try TemporaryFolder()
    let provider = target.make()
    try provider.openSource(atPath: "\(folder.path)/t.\(target.rawValue)")
    try provider.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, description TEXT)")
    try provider.execute("INSERT INTO t VALUES (5, 'a'), (9, 'b')")
    try provider.closeSource()
    #expect(try !folder.text(of: "t.\(target.rawValue)").contains("rowid"))
  }
}
