import Foundation
import PostgreSQL
import Testing

/// A private server in a temporary folder, which ends with the test process.
///
/// It listens on a Unix socket and on a port of the loopback interface. `fsync` is off.
final class TestServer: Sendable {
  let folder: String
  let port: Int
  private let binaries: String
  private let keeper: Process
  private let input: Pipe
  private let output: Pipe

  /// The server that most tests share; `nil` if no server is installed.
  static let shared: TestServer? = try? TestServer()

  static let isAvailable: Bool = {
    if binaries == nil { print("no PostgreSQL server was found: its tests are skipped") }
    return binaries != nil
  }()

  private static let binaries: String? = {
    let folders =
      (15...20).reversed().map { "/usr/lib/postgresql/\($0)/bin" } + [
        "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin",
      ]
    return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
  }()

  struct Failure: Error { let message: String }

  init(settings: [String] = []) throws {
    guard let binaries = Self.binaries else { throw Failure(message: "no server is installed") }
    self.binaries = binaries
    folder = "/tmp/holt-postgresql-\(getpid())-\(UInt32.random(in: 0..<1_000_000))"
    port = Int.random(in: 20_000..<60_000)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    // The server refuses to run as root.
    let prefix =
      getuid() == 0
      ? "chown nobody '\(folder)' && exec setpriv --reuid=nobody --regid=nogroup --clear-groups"
      : "exec"
    let initialization = Process()
    initialization.executableURL = URL(filePath: "/bin/sh")
    initialization.currentDirectoryURL = URL(filePath: "/")
    initialization.arguments = [
      "-c",
      "\(prefix) '\(binaries)/initdb' -D '\(folder)/data' --no-sync -A trust -U postgres -E UTF8 --locale=C >'\(folder).log' 2>&1",
    ]
    try initialization.runWithoutBlockedSignals()
    initialization.waitUntilExit()
    guard initialization.terminationStatus == 0 else { throw Failure(message: "initdb failed") }
    let options =
      ([
        "fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=150",
        "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=\(folder)",
        "shared_buffers=32MB", "log_min_messages=fatal",
      ] + settings).map { "-c '\($0)'" }
    let user = getuid() == 0 ? "setpriv --reuid=nobody --regid=nogroup --clear-groups" : ""
    // The shell ends the server when its input ends, which it does when this process ends in any way.
    let script = """
      cd /
      start() {
        \(user) '\(binaries)/postgres' -D '\(folder)/data' \(options.joined(separator: " ")) >>'\(folder).log' 2>&1 </dev/null &
        pid=$!
      }
      start
      while read -r line; do
        case $line in
          kill) kill -9 $pid; wait $pid; sleep 0.1 ;;
          stop) kill -INT $pid; wait $pid ;;
          start) start ;;
        esac
        echo done
      done
      kill -QUIT $pid 2>/dev/null
      wait $pid 2>/dev/null
      rm -rf '\(folder)' '\(folder).log'
      """
    keeper = Process()
    input = Pipe()
    output = Pipe()
    keeper.executableURL = URL(filePath: "/bin/sh")
    keeper.arguments = ["-c", script]
    keeper.standardInput = input
    keeper.standardOutput = output
    keeper.standardError = FileHandle.nullDevice
    try keeper.runWithoutBlockedSignals()
    try waitUntilReady()
  }

  deinit { try? input.fileHandleForWriting.close() }

  private func send(_ command: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    _ = output.fileHandleForReading.availableData
  }

  /// Kills the server's main process, after which its children end.
  func kill() throws { try send("kill") }

  /// Stops the server, which ends its connections.
  func stop() throws { try send("stop") }

  func start() throws {
    // A killed server leaves its lock files.
    try? FileManager.default.removeItem(atPath: folder + "/data/postmaster.pid")
    try send("start")
    try waitUntilReady()
  }

  private func waitUntilReady() throws {
    for _ in 0..<400 {
      let check = Process()
      check.executableURL = URL(filePath: binaries + "/pg_isready")
      check.arguments = ["-q", "-h", folder, "-p", "\(port)"]
      try check.runWithoutBlockedSignals()
      check.waitUntilExit()
      if check.terminationStatus == 0 { return }
      usleep(25_000)
    }
    throw Failure(message: "the server did not start")
  }

  func configuration(database: String = "postgres") -> PostgreSQLConfiguration {
    var configuration = PostgreSQLConfiguration(
      host: folder, port: port, database: database, user: "postgres")
    configuration.applicationName = "tests"
    // Other tests can use all threads for a while.
    configuration.connectTimeout = .seconds(60)
    configuration.acquisitionTimeout = .seconds(60)
    return configuration
  }

  private func administer(_ sql: String) async throws {
    let connection = try await PostgreSQLConnection.connect(configuration())
    do {
      try await connection.run(PostgreSQLQuery(unsafe: sql))
    } catch {
      await connection.close()
      throw error
    }
    await connection.close()
  }

  /// Passes a new database to `body`.
  func withDatabase<Result: Sendable>(
    _ change: (inout PostgreSQLConfiguration) -> Void = { _ in },
    _ body: (PostgreSQLDatabase) async throws -> Result
  ) async throws -> Result {
    let name = "test_\(UInt64.random(in: 0..<UInt64.max))"
    try await administer("CREATE DATABASE \(name)")
    var configuration = configuration(database: name)
    configuration.maximumConnectionCount = 4
    change(&configuration)
    let database = PostgreSQLDatabase(configuration)
    do {
      let result = try await body(database)
      database.close()
      try await administer("DROP DATABASE \(name) WITH (FORCE)")
      return result
    } catch {
      database.close()
      try? await administer("DROP DATABASE \(name) WITH (FORCE)")
      throw error
    }
  }
}

/// Passes a new database of the shared server to `body`.
func withDatabase<Result: Sendable>(
  _ change: (inout PostgreSQLConfiguration) -> Void = { _ in },
  _ body: (PostgreSQLDatabase) async throws -> Result
) async throws -> Result {
  try await #require(TestServer.shared).withDatabase(change, body)
}

extension Trait where Self == ConditionTrait {
  /// Skips tests if no server is installed.
  static var needsServer: Self {
    .enabled(if: TestServer.isAvailable, "no PostgreSQL server is installed")
  }
}

/// Returns the error that `body` throws.
func postgreSQLError<Result>(_ body: () async throws -> Result) async -> PostgreSQLError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? PostgreSQLError
  }
}
