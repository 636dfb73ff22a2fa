import CommandTesting
import Foundation
import SQLiteCore
import Testing

@testable import HoltTool

@Suite struct `holt shell` {
  @Test func `runs the statements in a pipe`() throws {
    let run = try HoltRun()
    try run.write(Samples.orders, to: "orders.csv")
    try run.write(Samples.towns, to: "towns.json")
    let result = try run.holt(
      "shell", "orders.csv", "towns.json",
      input: """
        .mode jsonl
        SELECT count(*) AS n
          FROM orders -- a comment;
        ;
        SELECT absent FROM orders;
        SELECT name FROM towns WHERE id = 1; SELECT 2 AS b
        """)
    #expect(result.output == "{\"n\":3}\n{\"name\":\"Oslo\"}\n{\"b\":2}\n")
    #expect(result.errors.contains("no such column: absent"))
    #expect(result.status == 2)
    let tables = try run.holt("shell", "orders.csv", "towns.json", input: ".tables\n")
    #expect(
      tables.output.contains("orders.orders     3\ntowns.towns       3\n"), "\(tables.output)")
    let commands = try run.holt(
      "shell", "orders.csv", input: ".schema orders\n.help\n.quit\nSELECT 1;\n")
    #expect(commands.output.hasPrefix("CREATE TABLE \"orders\""))
    #expect(commands.output.contains(".timer on|off"))
    #expect(commands.status == 0)
    for command in [".none", ".mode xls", ".timer", ".schema none", ".read none.sql", ".save"] {
      let failed = try run.holt("shell", "orders.csv", input: command + "\n")
      #expect(failed.status == 2)
      #expect(failed.errors.hasPrefix("error: ") || failed.errors.contains("none.sql: error"))
    }
  }

  @Test func `changes files only with --write`() throws {
    let run = try HoltRun()
    try run.write(Samples.orders, to: "orders.csv")
    let refused = try run.holt("shell", "orders.csv", input: "DELETE FROM orders;\n")
    #expect(refused.errors.contains("pass --write"))
    let result = try run.holt(
      "shell", "orders.csv", "--write",
      input: "DELETE FROM orders WHERE id = 1;\n.save\nDELETE FROM orders WHERE id = 2;\n")
    #expect(result.errors == "1 row changed\nwrote orders.csv\n1 row changed\nwrote orders.csv\n")
    #expect(try run.text(of: "orders.csv") == "id,town,sum\n3,1,100.00\n")
  }

  @Test(
    arguments: [
      (["SELECT 1;"], 1), (["SELECT 1"], 0), (["SELECT ';", "';"], 1), (["SELECT 1; -- ;"], 1),
      (["SELECT /* ;", "*/ 1;"], 1), (["SELECT \"a;\"", ";"], 1),
      (["CREATE TRIGGER t AFTER INSERT ON a BEGIN", "SELECT 1;", "SELECT 2;", "END;"], 1),
      (
        [
          "CREATE TEMP TRIGGER t AFTER INSERT ON a BEGIN", "SELECT CASE 1 WHEN 1 THEN 2 END;",
          "END;",
        ], 1
      ),
      (["SELECT 1;", "SELECT 2;"], 2),
    ] as [([String], Int)])
  func `waits for the end of a statement`(_ lines: [String], _ count: Int) {
    var buffer = StatementBuffer()
    let complete = lines.compactMap { buffer.add($0) }
    #expect(complete.count == count)
    #expect(complete.joined(separator: "\n") == (count > 0 ? lines.joined(separator: "\n") : ""))
  }

  #if os(Linux)
    /// Types keys into the shell in a pseudoterminal, and returns what it writes after each of them.
    private func type(_ keys: [String], _ run: HoltRun, _ arguments: String) throws -> [String] {
      let list = keys.map { "\"\($0)\"" }.joined(separator: ", ")
      try run.write(
        """
        import fcntl, json, os, pty, select, struct, sys, termios, time
        pid, fd = pty.fork()
        if pid == 0:
          os.environ.update(TERM="xterm", HOLT_HISTORY=os.path.abspath("history"), NO_COLOR="1", PAGER="cat")
          os.execv("\(run.executable)", ["holt", "shell"] + "\(arguments)".split())
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
        def read(end):
          output, limit = b"", time.time() + 30
          while time.time() < limit:
            if select.select([fd], [], [], 0.3)[0]:
              try: output += os.read(fd, 65536)
              except OSError: break
            elif any(e in output for e in end): break
          return output.decode()
        outputs = [read([b"holt> "])]
        for keys in [\(list)]:
          os.write(fd, keys.encode())
          if keys == "WAIT": time.sleep(0.5)
          outputs.append(read([b"holt> ", b"..> "] if keys[-1] in "\\r\\x03" else [b""]))
        try: os.close(fd)
        except OSError: pass
        os.waitpid(pid, 0)
        print(json.dumps(outputs))
        """, to: "drive.py")
      let result = try run.shell("python3 drive.py")
      let outputs = try? JSONDecoder().decode([String].self, from: Data(result.output.utf8))
      return try #require(outputs, "\(result.errors)\(result.output)")
    }

    @Test func `edits lines, completes names and keeps a history`() throws {
      let run = try HoltRun()
      try run.write(Samples.towns, to: "towns.json")
      let outputs = try type(
        [
          "SELECT name FROM tow\\t", "\\t", "\\r", "WHERE id = 2;\\r", ".mode csv\\r",
          "\\x1b[A\\x1b[A\\r",
          "SELECT 'x\\x03", ".ti\\t", "on\\r", "SELECT 'é東' AS a;\\r", "\\x04",
        ], run, "towns.json")
      #expect(outputs[0].contains("holt 0.1.0: .help lists the commands"))
      #expect(outputs[1].hasSuffix("ns"), "\(outputs[1])")
      #expect(outputs[2].contains("towns.name"), "\(outputs[2])")
      #expect(outputs[3].contains("  ..> "))
      #expect(outputs[4].contains("Reykjavík"), "\(outputs[4])")
      #expect(
        outputs[6].contains("name\r\r\nReykjavík") || outputs[6].contains("name\r\nReykjavík"),
        "\(outputs[6])")
      #expect(outputs[7].contains("^C"))
      #expect(outputs[8].contains("mer "), "\(outputs[8])")
      #expect(outputs[10].contains("é東") && outputs[10].contains("time: "), "\(outputs[10])")
      let history = try run.text(of: "history")
      #expect(history.contains(".mode"))
      let mode = try FileManager.default.attributesOfItem(atPath: run.path("history"))
      #expect(mode[.posixPermissions] as? Int == 0o600)
      let again = try type(["\\x1b[A\\r", "\\x04"], run, "towns.json")
      #expect(again[1].contains("é東"), "\(again[1])")
    }

    @Test func `cancels a running statement with Ctrl-C`() throws {
      let run = try HoltRun()
      let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n;"
      // The first key sequence ends without a prompt, so that the next one arrives while it runs.
      let outputs = try type(
        ["\(endless)\\r ", "\\x03", "SELECT 7 AS seven;\\r", "\\x04"], run, "")
      #expect(outputs.joined().contains("interrupted"), "\(outputs)")
      #expect(outputs.joined().contains("seven"), "\(outputs)")
    }
  #endif
}
