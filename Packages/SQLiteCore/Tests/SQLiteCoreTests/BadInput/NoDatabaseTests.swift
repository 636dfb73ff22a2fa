import Foundation
import SQLiteCore
import Testing

@Suite struct `Opening something other than a database` {
  struct Content: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  static let contents: [Content] = [
    Content("a short text", Array("shopping list".utf8)),
    Content("text", Array(String(repeating: "Dear diary, ", count: 90).utf8)),
    Content("a PNG", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + [UInt8](repeating: 7, count: 900)),
    Content("a ZIP", [0x50, 0x4b, 3, 4] + [UInt8](repeating: 0, count: 2_000)),
    Content("zeros", [UInt8](repeating: 0, count: 4_096)),
    Content(
      "SQLite 2",
      Array("** This file contains an SQLite 2.1 database **\0".utf8)
        + [UInt8](repeating: 0, count: 1_000)),
    Content(
      "half of the right header",
      Array("SQLite format 3\u{1}".utf8)
        + [UInt8](repeating: 1, count: 600)),
    Content(
      "the right header, followed by nonsense",
      Array("SQLite format 3\0".utf8)
        + [UInt8](repeating: 0xff, count: 4_080)),
    Content(
      "an encrypted database",
      {
        var random = SeededGenerator(seed: 3_401_005)
        return random.bytes(8_192)
      }()),
  ]

  /// The ways to open a file. All of them must fail immediately.
  private static func openings(_ directory: TemporaryDirectory) -> [() throws -> Void] {
    [
      { _ = try directory.connect() }, { _ = try directory.connect { $0.isReadOnly = true } },
      { _ = try directory.connect { $0.journalMode = .delete } },
      { _ = try directory.open() }, { _ = try directory.open { $0.isReadOnly = true } },
    ]
  }

  @Test(arguments: contents)
  func `fails with the code notADatabase and the path`(_ content: Content) throws {
    let directory = try TemporaryDirectory()
    try Data(content.bytes).write(to: URL(fileURLWithPath: directory.file()))
    for open in Self.openings(directory) {
      let error = #expect(throws: SQLiteError.self) { try open() }
      #expect(error?.code.primary == .notADatabase)
      #expect(error?.message.contains(directory.file()) == true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: directory.file())) == Data(content.bytes))
  }

  /// SQLite treats a file of one byte as empty, because some systems can't create an empty file.
  @Test(arguments: [0, 1])
  func `succeeds for an empty file, which becomes a database`(_ count: Int) throws {
    let directory = try TemporaryDirectory()
    try Data(repeating: 0x53, count: count).write(to: URL(fileURLWithPath: directory.file()))
    #expect(try directory.connect().tables() == [])
  }

  @Test func `fails if the path does not refer to a file, and reports the path`() throws {
    let directory = try TemporaryDirectory()
    let files = FileManager.default
    try files.createDirectory(
      atPath: directory.file("folder"), withIntermediateDirectories: false)
    try writeGarbage(to: directory.file("garbage"))
    try files.createSymbolicLink(
      atPath: directory.file("loop"), withDestinationPath: directory.file("loop"))
    try files.createSymbolicLink(
      atPath: directory.file("to-folder"), withDestinationPath: directory.file("folder"))
    let pipe = Pipe()
    for path in [
      directory.path, directory.file("folder"), directory.file("to-folder"),
      directory.file("loop"), directory.file("garbage/inside.sqlite"),
      directory.file("none/inside.sqlite"), "/dev/null/x",
      "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)",
      "/" + String(repeating: "long/", count: 2_000),
    ] {
      for isReadOnly in [false, true] {
        var configuration = Configuration()
        configuration.isReadOnly = isReadOnly
        for open in [
          { _ = try Connection(path: path, configuration: configuration) },
          { _ = try Database(path: path, configuration: configuration) },
        ] as [() throws -> Void] {
          let error = #expect(throws: SQLiteError.self, "\(path.prefix(80))") { try open() }
          let code = error?.code.primary
          #expect(
            code == .cannotOpen || code == .ioError || code == .notADatabase,
            "\(path.prefix(80)): \(String(describing: error))")
          #expect(error?.message.contains(path) == true, "\(path.prefix(80))")
        }
      }
    }
    withExtendedLifetime(pipe) {}
  }

  @Test func `fails if the virtual file system is not registered`() throws {
    let directory = try TemporaryDirectory()
    let error = #expect(throws: SQLiteError.self) {
      try directory.connect { $0.virtualFileSystem = "none" }
    }
    #expect(error?.code == .error)
    #expect(error?.message.contains("none") == true)
  }
}
