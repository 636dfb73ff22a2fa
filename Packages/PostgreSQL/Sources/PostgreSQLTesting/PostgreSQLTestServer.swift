import Foundation
public import PostgreSQL

/// A PostgreSQL server in a temporary folder, for tests.
///
/// The server is a process of its own with the programs that are installed on the machine. It listens on a Unix socket
/// and on a port of the loopback interface, trusts every connection, and does not wait for the disk. It ends, and its folder
/// is removed, when the last reference to it is released or when the test process ends in any way.
///
/// ```swift
/// let server = try PostgreSQLTestServer(settings: ["wal_level": "logical"])
/// try await server.withDatabase { database in
///   try await database.execute("CREATE TABLE book (id bigint PRIMARY KEY, title text)")
/// }
/// ```
public final class PostgreSQLTestServer: Sendable {
  /// The folder with the server's data and its Unix socket.
  public let folder: String
  /// The port on 127.0.0.1, which is also part of the socket's name.
  public let port: Int
  private let programs: String
  private let keeper: Process
  private let input: Pipe
  private let output: Pipe

  /// The folder of the server's programs, the newest version first; `nil` if no server is installed.
  public static let programs: String? = {
    let folders =
      (12...20).reversed().map { "/usr/lib/postgresql/\($0)/bin" } + [
        "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin",
      ]
    return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
  }()

  /// Whether a server is installed. If it is not, the first call prints that tests are skipped.
  public static let isInstalled: Bool = {
    if programs == nil { print("no PostgreSQL server is installed: its tests are skipped") }
    return programs != nil
  }()

  /// A server that all tests of the process share; `nil` if none is installed or it could not be started.
  public static let shared: PostgreSQLTestServer? = {
    guard isInstalled else { return nil }
    do {
      return try PostgreSQLTestServer()
    } catch {
      print("the shared PostgreSQL server did not start: \(error)")
      return nil
    }
  }()

  /// The server, or one of its programs, failed.
  public struct Failure: Error, CustomStringConvertible {
    /// What failed, and the output of the program.
    public let description: String
  }

  /// Creates a database cluster and starts a server, which takes about a second and blocks the thread.
  ///
  /// - Parameter settings: Settings of the server, such as `wal_level`, in addition to the ones above.
  /// - Throws: ``Failure`` if no server is installed, or the server does not start.
  public convenience init(settings: [String: String] = [:]) throws {
    try self.init(settings: settings) { server in
      try server.run(
        "initdb",
        [
          "-D", "\(server.folder)/data", "--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8",
          "--locale=C",
        ])
    }
  }

  /// Creates a hot standby of another server, and starts it.
  ///
  /// ```swift
  /// let standby = try PostgreSQLTestServer(standbyOf: server)
  /// ```
  ///
  /// - Parameters:
  ///   - primary: The server whose changes the standby replays.
  ///   - settings: Settings of the standby.
  /// - Throws: ``Failure`` if the data can't be copied, or the server does not start.
  public convenience init(
    standbyOf primary: PostgreSQLTestServer, settings: [String: String] = [:]
  ) throws {
    try self.init(settings: settings) { server in
      try server.run(
        "pg_basebackup",
        [
          "-D", "\(server.folder)/data", "-h", primary.folder, "-p", "\(primary.port)", "-U",
          "postgres", "-R", "-X", "stream", "-c", "fast", "--no-sync",
        ])
    }
  }

  /// Ends the recovery of a standby, which accepts writes then.
  ///
  /// - Throws: ``Failure`` if the server is no standby.
  public func promote() throws { try run("pg_ctl", ["promote", "-D", "\(folder)/data", "-w"]) }

  private init(
    settings: [String: String], creatingData create: (PostgreSQLTestServer) throws -> Void
  ) throws {
    guard let programs = Self.programs else {
      throw Failure(description: "no PostgreSQL server is installed")
    }
    self.programs = programs
    folder = "/tmp/holt-postgresql-\(getpid())-\(UInt32.random(in: 0..<1_000_000))"
    // Below the ports that outgoing connections get.
    port = Int.random(in: 20_000..<32_000)
    keeper = Process()
    input = Pipe()
    output = Pipe()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    if getuid() == 0 { try Self.run("chown", ["nobody", folder]) }
    try create(self)
    let values = [
      "fsync": "off", "full_page_writes": "off", "synchronous_commit": "off",
      "max_connections": "150", "listen_addresses": "127.0.0.1", "port": "\(port)",
      "unix_socket_directories": folder, "shared_buffers": "32MB", "log_min_messages": "fatal",
    ].merging(settings) { _, setting in setting }
    let options = values.sorted { $0.key < $1.key }
      .map { "-c '\($0.key)=\($0.value.replacing("'", with: "'\\''"))'" }
    // The shell ends the server when its input ends, which it does when this process ends in any way.
    let script = """
      cd /
      start() {
        \(Self.asServer.joined(separator: " ")) '\(programs)/postgres' -D '\(folder)/data' \(options.joined(separator: " ")) >>'\(folder).log' 2>&1 </dev/null &
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
    keeper.executableURL = URL(filePath: "/bin/sh")
    keeper.arguments = ["-c", script]
    keeper.standardInput = input
    keeper.standardOutput = output
    keeper.standardError = FileHandle.nullDevice
    try keeper.runWithoutBlockedSignals()
    try waitUntilReady()
  }

  deinit { try? input.fileHandleForWriting.close() }

  // MARK: Stopping and starting

  private func send(_ command: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8))
    _ = output.fileHandleForReading.availableData
  }

  /// Kills the server's main process, after which its children end.
  public func kill() throws { try send("kill") }

  /// Stops the server, which ends its connections and loses nothing.
  public func stop() throws { try send("stop") }

  /// Starts the server after ``kill()`` or ``stop()``.
  public func start() throws {
    // A killed server leaves its lock file.
    try? FileManager.default.removeItem(atPath: folder + "/data/postmaster.pid")
    try send("start")
    try waitUntilReady()
  }

  private func waitUntilReady() throws {
    for _ in 0..<800 {
      if (try? run("pg_isready", ["-q", "-h", folder, "-p", "\(port)"])) != nil { return }
      usleep(25_000)
    }
    let log = (try? String(contentsOfFile: folder + ".log", encoding: .utf8)) ?? ""
    throw Failure(description: "the server did not start: \(log)")
  }

  // MARK: Programs

  /// The command that runs another one as the user `nobody`, because the server refuses to run as root.
  private static var asServer: [String] {
    getuid() == 0 ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
  }

  /// Runs a program of PostgreSQL as the server's user, and returns its output.
  ///
  /// - Throws: ``Failure`` with the output for errors if the program fails.
  @discardableResult
  public func run(_ program: String, _ arguments: [String]) throws -> String {
    try Self.run("env", Self.asServer + ["\(programs)/\(program)"] + arguments)
  }

  /// Runs SQL on one connection with `psql`, and returns its output with the given additional options.
  ///
  /// - Throws: ``Failure`` with the server's message if a statement fails.
  @discardableResult
  public func psql(
    _ statements: [String], database: String = "postgres", options: [String] = ["-q", "-A", "-t"]
  ) throws -> String {
    try run(
      "psql",
      ["-X", "-h", folder, "-p", "\(port)", "-U", "postgres", "-d", database] + options + [
        "-v", "ON_ERROR_STOP=1",
      ] + statements.flatMap { ["-c", $0] })
  }

  @discardableResult
  private static func run(_ program: String, _ arguments: [String]) throws -> String {
    // A file, because a program that fills a second pipe while the first one is read would wait forever.
    let errors = "/tmp/holt-postgresql-\(getpid())-\(UInt64.random(in: 0..<UInt64.max)).errors"
    guard FileManager.default.createFile(atPath: errors, contents: nil),
      let errorFile = FileHandle(forWritingAtPath: errors)
    else { throw Failure(description: "\(errors) can't be written") }
    defer { try? FileManager.default.removeItem(atPath: errors) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.currentDirectoryURL = URL(filePath: "/")
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = errorFile
    try process.runWithoutBlockedSignals()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")
    }
    return text
  }

  // MARK: Databases

  /// The configuration of a client of the server, over its Unix socket, as the user `postgres`.
  public func configuration(database: String = "postgres") -> PostgreSQLConfiguration {
    var configuration = PostgreSQLConfiguration(
      host: folder, port: port, database: database, user: "postgres")
    configuration.applicationName = "tests"
    // Other tests can use all threads for a while.
    configuration.connectTimeout = .seconds(60)
    configuration.acquisitionTimeout = .seconds(60)
    return configuration
  }

  /// Passes a new database to `body`, and removes it afterwards.
  ///
  /// - Parameters:
  ///   - change: Changes the configuration of the database's pool, which has at most four connections.
  ///   - body: A closure that uses the database.
  /// - Throws: What `body` throws, or an error of the server.
  public func withDatabase<Result: Sendable>(
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
}
