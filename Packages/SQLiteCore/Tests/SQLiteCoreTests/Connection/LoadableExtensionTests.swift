import Foundation
import SQLiteCore
import Testing

/// The tests compile a library from C. Without a C compiler, they print a message and pass.
@Suite struct `A loaded extension` {
  static let source = """
    #include <sqlite3ext.h>
    SQLITE_EXTENSION_INIT1
    static void twice(sqlite3_context *context, int count, sqlite3_value **values) {
      (void)count;
      sqlite3_result_int64(context, 2 * sqlite3_value_int64(values[0]));
    }
    int sqlite3_doubling_init(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
      (void)message;
      SQLITE_EXTENSION_INIT2(api);
      return sqlite3_create_function(db, "twice", 1, SQLITE_UTF8, 0, twice, 0, 0);
    }
    int refuses(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
      (void)db;
      SQLITE_EXTENSION_INIT2(api);
      *message = sqlite3_mprintf("not on a Tuesday");
      return SQLITE_ERROR;
    }
    """

  /// The directory of the library, which is compiled once.
  private static let folder = try? TemporaryDirectory()

  /// The path of the library, or `nil` if it can't be compiled.
  private static let library: String? = {
    guard let folder else { return nil }
    let (source, library) = (folder.file("doubling.c"), folder.file("doubling.so"))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["clang", "-shared", "-fPIC", "-o", library, source]
    process.standardError = FileHandle.nullDevice
    do {
      try Self.source.write(toFile: source, atomically: true, encoding: .utf8)
      try process.run()
    } catch {
      return nil
    }
    process.waitUntilExit()
    if process.terminationStatus == 0 { return library }
    print("Extensions are not loaded here: there is no C compiler, or no sqlite3ext.h")
    return nil
  }()

  private func configuration(_ extensions: Configuration.LoadableExtension...) -> Configuration {
    var configuration = Configuration()
    configuration.extensions = extensions
    return configuration
  }

  @Test func `has its functions on every connection of a database`() async throws {
    let directory = try TemporaryDirectory()
    guard let path = Self.library else { return }
    let database = try directory.open(configuration(Configuration.LoadableExtension(path: path)))
    defer { database.close() }
    #expect(try await database.write { try $0.value(Int.self, "SELECT twice(21)") } == 42)
    try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 1...8 {
        group.addTask { try await database.read { try $0.value(Int.self, "SELECT twice(4)") } }
      }
      for try await value in group { #expect(value == 8) }
    }
  }

  @Test func `is available before the connection is prepared`() throws {
    let directory = try TemporaryDirectory()
    guard let path = Self.library else { return }
    var configuration = configuration(Configuration.LoadableExtension(path: path))
    configuration.prepare = { connection in
      let value = try connection.value(Int.self, "SELECT twice(1)")
      #expect(value == 2)
    }
    try directory.connect(configuration).close()
  }

  @Test func `is found by the name of its entry point`() throws {
    let directory = try TemporaryDirectory()
    guard let path = Self.library else { return }
    let entry = Configuration.LoadableExtension(path: path, entryPoint: "sqlite3_doubling_init")
    #expect(try directory.connect(configuration(entry)).value(Int.self, "SELECT twice(5)") == 10)
  }

  @Test(arguments: ["refuses", "missing"])
  func `fails the opening with its own message`(_ entryPoint: String) throws {
    let directory = try TemporaryDirectory()
    guard let path = Self.library else { return }
    let entry = Configuration.LoadableExtension(path: path, entryPoint: entryPoint)
    let error = #expect(throws: SQLiteError.self) { try directory.connect(configuration(entry)) }
    #expect(error?.code == .error)
    #expect(error?.message.contains(path) == true)
    if entryPoint == "refuses" { #expect(error?.message.contains("not on a Tuesday") == true) }
  }

  @Test(arguments: ["/no/such/library", "", "a\\0b"])
  func `that is missing fails the opening`(_ path: String) throws {
    let directory = try TemporaryDirectory()
    let missing = Configuration.LoadableExtension(path: path)
    let error = #expect(throws: SQLiteError.self) { try directory.connect(configuration(missing)) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.isEmpty == false)
  }

  @Test func `can't be loaded by SQL`() throws {
    let directory = try TemporaryDirectory()
    guard let path = Self.library else { return }
    for configuration in [
      Configuration(), configuration(Configuration.LoadableExtension(path: path)),
    ] {
      let db = try directory.connect(configuration)
      let error = #expect(throws: SQLiteError.self) {
        try db.rows("SELECT load_extension(\(path))")
      }
      #expect(error?.message.contains("not authorized") == true)
    }
  }
}
