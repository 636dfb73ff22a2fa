import CommandTesting

/// Runs the built command in a temporary folder, as a user would.
typealias HoltRun = CommandRun

extension CommandRun {
  convenience init() throws { try self.init("holt", products: ["holt", "holt-tool"]) }

  /// Runs the command in the folder.
  func holt(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Result {
    try command(arguments, input: input, environment: environment)
  }
}

#if os(Linux)
  import Foundation
  import SQLiteCore

  extension CommandRun {
    /// Runs a shell command line as a user without privileges.
    func asOrdinaryUser(_ line: String) throws -> Result {
      guard ProcessInfo.processInfo.userName == "root" else { return try shell(line) }
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
      try write("holt() { '\(executable)' \"$@\"; }\n\(line)\n", to: "ordinary.sh")
      return try shell(
        "setpriv --reuid=65534 --regid=65534 --clear-groups bash ordinary.sh",
        environment: ["TMPDIR": folder, "HOME": folder])
    }

    /// Creates a database without a write-ahead log.
    @discardableResult
    func makeDatabase(_ name: String, _ sql: String) throws -> Connection {
      var configuration = Configuration()
      configuration.journalMode = .delete
      let connection = try Connection(path: path(name), configuration: configuration)
      try connection.execute(SQL(unsafe: sql))
      return connection
    }

    /// Creates a database as a program leaves it that ends while it writes: 100 rows are committed,
    /// and half of them are deleted in the file, with the former content in its journal.
    func makeCrashedDatabase(_ name: String) throws {
      let connection = try makeDatabase(
        "crashing.db",
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, text);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100)
        INSERT INTO t SELECT i, printf('%.*c', 1000, 'x') FROM n;
        PRAGMA cache_size = 5; PRAGMA cache_spill = 1;
        BEGIN; DELETE FROM t WHERE id % 2; UPDATE t SET text = printf('%.*c', 1000, 'y');
        """)
      for suffix in ["", "-journal"] {
        try FileManager.default.copyItem(
          atPath: path("crashing.db\(suffix)"), toPath: path("\(name)\(suffix)"))
      }
      try connection.execute("ROLLBACK")
    }
  }

  extension CommandRun {
    /// Runs a shell command line in a pseudoterminal, and returns its output with escape sequences.
    func inTerminal(
      _ line: String, size: (Int, Int) = (24, 80), environment: [String: String] = [:]
    ) throws -> String {
      let command = line.replacing("holt ", with: "\(executable) ")
      try write("stty rows \(size.0) cols \(size.1)\n\(command)\n", to: "command.sh")
      let result = try shell(
        "script -qec 'bash command.sh' /dev/null </dev/null",
        environment: ["TERM": "xterm"].merging(environment) { $1 })
      return result.output.replacing("\r\n", with: "\n")
    }
  }
#endif
