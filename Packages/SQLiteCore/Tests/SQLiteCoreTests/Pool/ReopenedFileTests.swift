import Foundation
import SQLiteCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Connections opened later by a database` {
  /// A database file with a table that contains one text.
  static func makeFile(_ path: String, holding text: String) throws {
    let connection = try Connection(path: path)
    try connection.execute("CREATE TABLE t (a)")
    try connection.run("INSERT INTO t VALUES (?)", text)
    try connection.close()
  }

  static func texts(_ database: Database) throws -> [String] {
    // The next read opens a connection.
    database.releaseMemory()
    return try database.read { try $0.values(String.self, "SELECT a FROM t") }
  }

  /// The configuration of the database.
  enum Opening: CaseIterable, Sendable {
    case forWriting, forReading, byURI

    func open(_ path: String) throws -> Database {
      var configuration = Configuration()
      switch self {
      case .forWriting: break
      case .forReading: configuration.isReadOnly = true
      case .byURI: return try Database(.uri(path: path, Database.URIParameters(isPowersafe: true)))
      }
      return try Database(path: path, configuration: configuration)
    }
  }

  @Test func `open the same file after the current directory has changed`() async {
    // The current directory belongs to the process.
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      for name in ["one", "two"] {
        try FileManager.default.createDirectory(
          atPath: folder.file(name), withIntermediateDirectories: true)
        try Self.makeFile(folder.file("\(name)/test.sqlite"), holding: name)
      }
      try #require(FileManager.default.changeCurrentDirectoryPath(folder.file("one")))
      for opening in Opening.allCases {
        try #require(FileManager.default.changeCurrentDirectoryPath(folder.file("one")))
        let database = try opening.open("test.sqlite")
        try #require(FileManager.default.changeCurrentDirectoryPath(folder.file("two")))
        try #require(try Self.texts(database) == ["one"])
      }
    }
  }

  @Test(arguments: Opening.allCases, [true, false])
  func `open the same file after a symbolic link has changed`(
    _ opening: Opening, _ isFolder: Bool
  ) throws {
    let (folder, files) = (try TemporaryDirectory(), FileManager.default)
    for name in ["one", "two"] {
      try files.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
      try Self.makeFile(folder.file("\(name)/test.sqlite"), holding: name)
    }
    let link = folder.file("link")
    func point(to name: String) throws {
      try? files.removeItem(atPath: link)
      try files.createSymbolicLink(
        atPath: link, withDestinationPath: folder.file(isFolder ? name : "\(name)/test.sqlite"))
    }
    try point(to: "one")
    let database = try opening.open(isFolder ? "\(link)/test.sqlite" : link)
    try point(to: "two")
    #expect(try Self.texts(database) == ["one"])
  }

  @Test(arguments: Opening.allCases)
  func `refuse a file that has replaced the database's`(_ opening: Opening) throws {
    let (folder, files) = (try TemporaryDirectory(), FileManager.default)
    let (path, other) = (folder.file(), folder.file("other.sqlite"))
    try Self.makeFile(path, holding: "one")
    try Self.makeFile(other, holding: "two")
    let content = try Data(contentsOf: URL(fileURLWithPath: other))
    let database = try opening.open(path)
    #expect(try Self.texts(database) == ["one"])
    try files.moveItem(atPath: path, toPath: folder.file("moved.sqlite"))
    try files.moveItem(atPath: other, toPath: path)
    let error = #expect(throws: SQLiteError.self) { try Self.texts(database) }
    #expect(error?.code == .fileReplaced)
    #expect(error?.message.contains(path) == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)

    // The right file is accepted again.
    try files.removeItem(atPath: path)
    try files.moveItem(atPath: folder.file("moved.sqlite"), toPath: path)
    #expect(try Self.texts(database) == ["one"])
  }

  @Test(arguments: Opening.allCases) func `fail if the file no longer exists`(_ opening: Opening)
    throws
  {
    let folder = try TemporaryDirectory()
    try Self.makeFile(folder.file(), holding: "one")
    let database = try opening.open(folder.file())
    try FileManager.default.moveItem(atPath: folder.file(), toPath: folder.file("moved.sqlite"))
    let error = #expect(throws: SQLiteError.self) { try Self.texts(database) }
    #expect(error?.code.primary == .cannotOpen)
    #expect(!FileManager.default.fileExists(atPath: folder.file()))
  }
}
