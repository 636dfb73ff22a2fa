#if os(Linux)
  import CommandTesting
  import Foundation
  import SQLiteCore
  import Testing

  /// Files that must not be replaced, or only with all of their properties.
  @Suite struct `A written file` {
    @Test(arguments: [
      "query 'DELETE FROM a' a.csv --write", "convert b.csv a.csv --force",
      "copy b.csv a.csv", "convert b.csv a.csv --force --to sqlite",
    ])
    func `is not replaced if it is read-only`(_ command: String) throws {
      let run = try HoltRun()
      try run.write("id\n1\n", to: "a.csv")
      try run.write("id\n2\n", to: "b.csv")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o444], ofItemAtPath: run.path("a.csv"))
      for result in [try run.shell("holt \(command)"), try run.asOrdinaryUser("holt \(command)")] {
        #expect(result.status == 2)
        #expect(result.errors.contains("error: the file is read-only"), "\(result.errors)")
        #expect(try run.text(of: "a.csv") == "id\n1\n")
      }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: run.folder).filter {
          $0.contains("holt-new")
        } == [])
    }

    @Test func `keeps its owner, its access list and its attributes`() throws {
      let run = try HoltRun()
      try run.write("id\n1\n2\n", to: "a.csv")
      let result = try run.shell(
        """
        python3 - <<'END'
        import os, struct
        def entry(tag, perm, id=0xffffffff): return struct.pack("<HHI", tag, perm, id)
        # user::rw-, user:12345:r--, group::r--, mask::rw-, other::---
        acl = struct.pack("<I", 2) + entry(1, 6) + entry(2, 4, 12345) + entry(4, 4) + entry(16, 6) + entry(32, 0)
        os.setxattr("a.csv", "user.origin", b"a value")
        os.setxattr("a.csv", "system.posix_acl_access", acl)
        if os.geteuid() == 0: os.chown("a.csv", 54321, 54322)
        END
        properties() { python3 -c '
        import os
        s = os.stat("a.csv")
        print(s.st_uid, s.st_gid, oct(s.st_mode), sorted((n, os.getxattr("a.csv", n)) for n in os.listxattr("a.csv")))'; }
        properties >before
        holt query 'DELETE FROM a WHERE id = 1' a.csv --write
        properties >after
        cat before; cmp before after && cat a.csv
        """)
      #expect(result.output.contains("user.origin"), "\(result.errors)")
      #expect(result.output.hasSuffix("id\n2\n"), "\(result.output)\(result.errors)")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.userName == "root"))
    func `is not replaced if its owner can't be kept`() throws {
      let run = try HoltRun()
      try run.write("id\n1\n2\n", to: "a.csv")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o666], ofItemAtPath: run.path("a.csv"))
      let result = try run.asOrdinaryUser("holt query 'DELETE FROM a WHERE id = 1' a.csv --write")
      #expect(result.status == 2)
      #expect(result.errors.contains("replacing the file would lose its owner"), "\(result.errors)")
      #expect(try run.text(of: "a.csv") == "id\n1\n2\n")
    }

    @Test func `has no access list of its folder that it did not have`() throws {
      let run = try HoltRun()
      try FileManager.default.createDirectory(
        atPath: run.path("f"), withIntermediateDirectories: false)
      try run.write("id\n1\n2\n", to: "f/a.csv")
      let result = try run.shell(
        """
        python3 - <<'END'
        import os, struct
        def entry(tag, perm, id=0xffffffff): return struct.pack("<HHI", tag, perm, id)
        acl = struct.pack("<I", 2) + entry(1, 6) + entry(2, 6, 12345) + entry(4, 4) + entry(16, 6) + entry(32, 0)
        os.setxattr("f", "system.posix_acl_default", acl)
        END
        holt query 'DELETE FROM a WHERE id = 1' f/a.csv --write
        python3 -c 'import os; print(os.listxattr("f/a.csv"))'
        """)
      #expect(result.output == "[]\n", "\(result.errors)")
    }

    @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
    func `leaves no scratch files if a signal ends the command`(_ signal: String, _ status: Int)
      throws
    {
      let run = try HoltRun()
      try FileManager.default.createDirectory(
        atPath: run.path("tmp"), withIntermediateDirectories: false)
      try run.write("id\n" + String(repeating: "1\n", count: 1_000), to: "a.csv")
      // The query never ends, and the conversion waits for its input.
      let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n, a"
      let result = try run.shell(
        """
        python3 - '\(run.executable)' <<'END'
        import os, signal, subprocess, sys, time
        holt = sys.argv[1]
        environment = dict(os.environ, TMPDIR=os.path.abspath("tmp"))
        def wait(condition):
          for i in range(600):
            if condition(): return
            time.sleep(0.05)
          print("timeout")
        def end(process):
          process.send_signal(signal.SIG\(signal))
          print(process.wait(), os.listdir("tmp"), [n for n in os.listdir(".") if "holt-new" in n])
        process = subprocess.Popen([holt, "query", "\(endless)", "a.csv"], env=environment, stdin=subprocess.DEVNULL)
        wait(lambda: any(os.listdir("tmp/" + n) for n in os.listdir("tmp")))
        time.sleep(0.3)
        end(process)
        process = subprocess.Popen([holt, "convert", "-", "b.json", "--format", "csv"], env=environment, stdin=subprocess.PIPE)
        process.stdin.write(b"id\\n" + b"1\\n" * 200000)
        process.stdin.flush()
        wait(lambda: any(os.listdir("tmp/" + n) for n in os.listdir("tmp")))
        end(process)
        END
        """)
      #expect(result.output == "\(status) [] []\n\(status) [] []\n", "\(result.errors)")
      #expect(!run.exists("b.json"))
    }

    @Test func `leaves no temporary file if a signal ends the command while it is written`() throws
    {
      let run = try HoltRun()
      // A destination in a terminal-like pipe would block; here the rows never end.
      try run.makeDatabase(
        "a.db",
        """
        CREATE TABLE t (a);
        CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000000) SELECT i FROM n;
        """
      ).close()
      let result = try run.shell(
        """
        python3 - '\(run.executable)' <<'END'
        import os, signal, subprocess, sys, time
        process = subprocess.Popen([sys.argv[1], "convert", "a.db", "v.jsonl", "--table", "v"])
        for i in range(600):
          if any("holt-new" in n for n in os.listdir(".")): break
          time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        print(process.wait(), [n for n in os.listdir(".") if "holt-new" in n])
        END
        """)
      #expect(result.output == "143 []\n", "\(result.errors)")
    }
  }
#endif
