#if SQLCipher
  import Foundation
  import Testing

  @testable import SQLiteCore

  @Suite struct `An encrypted database` {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `has no readable content in its files`() throws {
      let connection = try directory.connect(keyed("secret"))
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('a text to look for')")
      for name in ["test.sqlite", "test.sqlite-wal"] {
        let bytes = try Data(contentsOf: URL(filePath: directory.file(name)))
        #expect(!bytes.isEmpty || name == "test.sqlite")
        #expect(!bytes.starts(with: Data("SQLite format 3\0".utf8)))
        #expect(bytes.range(of: Data("look for".utf8)) == nil)
      }
      try connection.close()
      let file = try Data(contentsOf: URL(filePath: directory.file()))
      #expect(file.count > 4_096)
      #expect(!file.starts(with: Data("SQLite format 3\0".utf8)))
      #expect(file.range(of: Data("look for".utf8)) == nil)
      let again = try directory.connect(keyed("secret"))
      #expect(try again.value(String.self, "SELECT a FROM t") == "a text to look for")
    }

    @Test func `can't be opened with another key, and stays intact`() throws {
      try fill(directory.file(), keyed("secret"))
      for isReadOnly in [false, true] {
        var configuration = try keyed("another")
        configuration.isReadOnly = isReadOnly
        let error = #expect(throws: SQLiteError.self) { try directory.connect(configuration) }
        #expect(error?.code == .wrongKey)
        #expect(error?.code.primary == .notADatabase)
        #expect(error?.kind == .denied)
        #expect(throws: SQLiteError.self) { try directory.open(configuration) }
      }
      let error = #expect(throws: SQLiteError.self) { try directory.connect() }
      #expect(error?.code == .notADatabase)
      #expect(try content(of: directory.file(), keyed("secret")) == ["ä", "b"])
    }

    @Test func `is distinguished from an unencrypted or damaged one`() throws {
      try fill(directory.file(), Configuration())
      let plain = #expect(throws: SQLiteError.self) { try directory.connect(keyed("secret")) }
      #expect(plain?.code == .notADatabase)
      #expect(plain?.message.contains("is not encrypted") == true)
      #expect(try content(of: directory.file(), Configuration()) == ["ä", "b"])

      let damaged = directory.file("damaged.sqlite")
      let connection = try Connection(path: damaged, configuration: keyed("secret"))
      try connection.execute("CREATE TABLE t (a)")
      for _ in 0..<100 { try connection.run("INSERT INTO t VALUES (randomblob(1000))") }
      try connection.close()
      let handle = try FileHandle(forUpdating: URL(filePath: damaged))
      try handle.seek(toOffset: 4_096 * 10 + 100)
      try handle.write(contentsOf: Data(repeating: 7, count: 64))
      try handle.close()
      let error = #expect(throws: SQLiteError.self) {
        try Connection(path: damaged, configuration: keyed("secret"))
          .value(Int.self, "SELECT sum(length(a)) FROM t")
      }
      #expect(error?.code.primary == .corrupt, "\(String(describing: error))")
    }

    @Test func `has a raw key, or a passphrase of any characters`() throws {
      let raw = try EncryptionKey(raw: Array(0..<32))
      var configuration = Configuration()
      configuration.key = raw
      try fill(directory.file("raw.sqlite"), configuration)
      #expect(try content(of: directory.file("raw.sqlite"), configuration) == ["ä", "b"])
      for (number, passphrase) in ["it's \"quoted\"; --", "nul\0inside", "päss 🔑", "x'"]
        .enumerated()
      {
        let path = directory.file("\(number).sqlite")
        try fill(path, keyed(passphrase))
        #expect(try content(of: path, keyed(passphrase)) == ["ä", "b"])
        let error = #expect(throws: SQLiteError.self) {
          try content(of: path, keyed(passphrase + "."))
        }
        #expect(error?.code == .wrongKey)
      }
      #expect(throws: SQLiteError.self) { try EncryptionKey(passphrase: "") }
      #expect(throws: SQLiteError.self) { try EncryptionKey(passphrase: "x'00'") }
      #expect(throws: SQLiteError.self) { try EncryptionKey(raw: [1, 2, 3]) }
    }

    @Test func `never shows its key`() throws {
      var configuration = try keyed("secret")
      configuration.showsValuesInErrors = true
      var texts = ["\(configuration)", String(reflecting: configuration)]
      var dumped = ""
      dump(configuration, to: &dumped)
      texts.append(dumped)
      try fill(directory.file(), configuration)
      var other = configuration
      other.key = try EncryptionKey(passphrase: "secretary")
      let error = #expect(throws: SQLiteError.self) { try directory.connect(other) }
      texts.append("\(String(reflecting: error))")
      let connection = try Connection.inMemory(configuration: configuration)
      var traced: [String] = []
      try connection.hooks.trace(.statements, showsValues: true) { traced.append("\($0)") }
      try connection.attach(.file(directory.file()), as: "kept", key: configuration.key)
      texts += traced
      let refused = #expect(throws: SQLiteError.self) {
        try connection.attach(.file(directory.file()), as: "refused", key: other.key)
      }
      #expect(refused?.code == .wrongKey)
      texts.append("\(String(reflecting: refused))")
      for text in texts { #expect(!text.contains("secret") && !text.contains("736563726574")) }
      try connection.run("SELECT 1")
      #expect(traced.contains { $0.contains("SELECT 1") })
    }

    @Test func `is read by every connection of a pool during writes`() async throws {
      for mode in Configuration.JournalMode.allCases {
        var configuration = try keyed("secret")
        configuration.journalMode = mode
        configuration.key = try EncryptionKey(raw: Array(repeating: 9, count: 32))
        let database = try Database(
          path: directory.file("\(mode).sqlite"), configuration: configuration)
        try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try await withThrowingTaskGroup(of: Int?.self) { group in
          for number in 0..<20 {
            group.addTask {
              if number % 5 == 0 {
                try await database.write { try $0.run("INSERT INTO t VALUES (?)", number) }
              }
              return try await database.read { try $0.value(Int.self, "SELECT count(*) FROM t") }
            }
          }
          for try await count in group { #expect(count ?? 0 >= 1) }
        }
        let count = try await database.read { try $0.value(Int.self, "SELECT count(*) FROM t") }
        #expect(count == 5)
        let snapshot = try await database.snapshot()
        #expect(try await snapshot.read { try $0.value(Int.self, "SELECT count(*) FROM t") } == 5)
        database.close()
      }
    }

    @Test func `is rekeyed in place`() throws {
      for mode in Configuration.JournalMode.allCases {
        let path = directory.file("\(mode).sqlite")
        var configuration = try keyed("old")
        configuration.journalMode = mode
        try fill(path, configuration)
        let connection = try Connection(path: path, configuration: configuration)
        try connection.rekey(to: EncryptionKey(passphrase: "new"))
        #expect(
          try connection.pragma("journal_mode", as: String.self) == mode.rawValue.lowercased())
        try connection.run("INSERT INTO t VALUES ('c')")
        #expect(try connection.integrityCheck().isEmpty)
        try connection.close()
        let error = #expect(throws: SQLiteError.self) {
          try Connection(path: path, configuration: configuration)
        }
        #expect(error?.code == .wrongKey)
        configuration.key = try EncryptionKey(passphrase: "new")
        #expect(try content(of: path, configuration) == ["ä", "b", "c"])
      }
    }

    @Test func `keeps its key if it can't be rekeyed`() throws {
      let configuration = try keyed("old")
      try fill(directory.file(), configuration)
      let new = try EncryptionKey(passphrase: "new")
      for mode in [Configuration.JournalMode.wal, .delete] {
        var busy = configuration
        busy.journalMode = mode
        busy.busyTimeout = .zero
        let connection = try directory.connect(busy)
        let reader = try directory.connect(busy)
        try reader.transaction(.deferred) {
          let count = try reader.value(Int.self, "SELECT count(*) FROM t")
          #expect(count == 2)
          let error = #expect(throws: SQLiteError.self) { try connection.rekey(to: new) }
          #expect([.busy, .locked].contains(error?.code.primary))
        }
        try connection.run("INSERT INTO t VALUES ('more')")
        try connection.run("DELETE FROM t WHERE a = 'more'")
        #expect(
          try connection.pragma("journal_mode", as: String.self) == mode.rawValue.lowercased())
        #expect(try reader.value(Int.self, "SELECT count(*) FROM t") == 2)
      }
      #expect(try content(of: directory.file(), configuration) == ["ä", "b"])

      let database = try directory.open(configuration)
      let lent = #expect(throws: SQLiteError.self) {
        try database.writeWithoutTransaction { try $0.rekey(to: new) }
      }
      #expect(lent?.code == .misuse)
      database.close()
      let connection = try directory.connect(configuration)
      let inside = #expect(throws: SQLiteError.self) {
        try connection.transaction { try connection.rekey(to: new) }
      }
      #expect(inside?.code == .insideTransaction)
      let plain = try memory()
      #expect(throws: SQLiteError.self) { try plain.rekey(to: new) }
      #expect(try content(of: directory.file(), configuration) == ["ä", "b"])
    }

    @Test func `is rekeyed while its pool is in use`() async throws {
      var configuration = Configuration()
      configuration.key = try EncryptionKey(raw: Array(repeating: 1, count: 32))
      let database = try directory.open(configuration)
      try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
      for number: UInt8 in 2...5 {
        let key = try EncryptionKey(raw: Array(repeating: number, count: 32))
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<20 {
            group.addTask {
              let count = try await database.read {
                try $0.value(Int.self, "SELECT count(*) FROM t")
              }
              #expect(count ?? 0 >= 1)
            }
            group.addTask {
              _ = try await database.write { try $0.run("INSERT INTO t VALUES (2)") }
            }
          }
          group.addTask { try await database.rekey(to: key) }
          try await group.waitForAll()
        }
        #expect(throws: SQLiteError.self) { try directory.connect(configuration) }
        configuration.key = key
        #expect(try directory.connect(configuration).count("t") == 1 + 20 * (Int(number) - 1))
        #expect(try await database.read { try $0.pragma("journal_mode", as: String.self) } == "wal")
      }
      #expect(database.configuration.key?.bytes == configuration.key?.bytes)
      try await database.rekey(to: EncryptionKey(passphrase: "last"))
      #expect(try await database.read { try $0.count("t") } == 81)
      database.close()
      #expect(try content(of: directory.file(), keyed("last")).count == 81)
    }

    @Test func `keeps its key while a snapshot is open or the file is in use elsewhere`()
      async throws
    {
      let configuration = try keyed("old")
      let new = try EncryptionKey(passphrase: "new")
      let database = try directory.open(configuration)
      try await database.write { try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('ä')") }
      let snapshot = try await database.snapshot()
      let kept = await #expect(throws: SQLiteError.self) { try await database.rekey(to: new) }
      #expect(kept?.code == .busy)
      #expect(try await snapshot.read { try $0.count("t") } == 1)
      snapshot.close()
      let other = try directory.connect(configuration)
      let open = await #expect(throws: SQLiteError.self) { try await database.rekey(to: new) }
      #expect([.busy, .locked].contains(open?.code.primary))
      try other.close()
      let nested = #expect(throws: SQLiteError.self) {
        try database.read { _ in try database.rekey(to: new) }
      }
      #expect(nested?.code == .nestedAccess)
      let again = try await database.snapshot()
      #expect(try await again.read { try $0.count("t") } == 1)
      #expect(try await database.read { try $0.count("t") } == 1)
      database.close()
      #expect(try content(of: directory.file(), configuration) == ["ä"])
      let memory = try Database.inMemory(configuration)
      let inMemory = await #expect(throws: SQLiteError.self) { try await memory.rekey(to: new) }
      #expect(inMemory?.code == .misuse)
    }

    @Test func `can have the format of an earlier release`() throws {
      var earlier = try keyed("secret")
      earlier.cipherCompatibility = .version3
      try fill(directory.file(), earlier)
      #expect(try content(of: directory.file(), earlier) == ["ä", "b"])
      // SQLCipher returns text.
      let pageSize = try directory.connect(earlier).value(String.self, "PRAGMA page_size")
      #expect(pageSize == "1024")
      let error = #expect(throws: SQLiteError.self) { try directory.connect(keyed("secret")) }
      #expect(error?.code == .wrongKey)
      let database = try directory.open(earlier)
      try database.rekey(to: EncryptionKey(passphrase: "new"))
      database.close()
      earlier.key = try EncryptionKey(passphrase: "new")
      #expect(try content(of: directory.file(), earlier) == ["ä", "b"])
      try directory.connect(earlier).export(
        to: directory.file("now"), key: EncryptionKey(passphrase: "new"))
      #expect(try content(of: directory.file("now"), keyed("new")) == ["ä", "b"])
    }

    @Test func `can be exported without a key, with another key, and back`() throws {
      let source = try directory.connect(keyed("secret"))
      try source.execute(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT UNIQUE, b AS (a || '!'));
        CREATE TABLE u (k TEXT PRIMARY KEY, t INTEGER REFERENCES t) WITHOUT ROWID;
        CREATE INDEX i ON t (a, id);
        CREATE VIEW v AS SELECT a FROM t;
        CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES (NEW.a, NEW.id); END;
        INSERT INTO t (a) VALUES ('ä'), ('b'), ('c');
        DELETE FROM t WHERE a = 'c' AND 0;
        """)
      if SQLiteLibrary.supports(.fts5) {
        try source.execute(
          "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('some words')")
      }
      try source.setUserVersion(7)
      try source.setApplicationID(8)
      let schema = try source.schemaSQL()

      try source.export(to: directory.file("plain"), key: nil)
      let plain = try Connection(path: directory.file("plain"))
      let bytes = try Data(contentsOf: URL(filePath: directory.file("plain")))
      #expect(bytes.starts(with: Data("SQLite format 3\0".utf8)))
      let other = try EncryptionKey(passphrase: "other")
      try source.export(to: directory.file("other"), key: other)
      try plain.export(to: directory.file("again"), key: other)

      var configuration = Configuration()
      configuration.key = other
      let copies = [
        plain, try Connection(path: directory.file("other"), configuration: configuration),
        try Connection(path: directory.file("again"), configuration: configuration),
      ]
      for copy in copies {
        #expect(try copy.schemaSQL() == schema)
        #expect(try copy.values(String.self, "SELECT b FROM t ORDER BY id") == ["ä!", "b!", "c!"])
        #expect(try copy.values(String.self, "SELECT k FROM u ORDER BY k") == ["b", "c", "ä"])
        if SQLiteLibrary.supports(.fts5) {
          #expect(try copy.value(Int.self, "SELECT count(*) FROM f WHERE f MATCH 'words'") == 1)
        }
        #expect(try copy.userVersion() == 7)
        #expect(try copy.applicationID() == 8)
        #expect(try copy.integrityCheck().isEmpty)
      }
      #expect(try source.attachedDatabases.isEmpty)
    }

    @Test func `can't be exported over another file, or inside a transaction`() throws {
      let source = try directory.connect(keyed("secret"))
      try source.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      try fill(directory.file("full"), Configuration())
      try fill(directory.file("keyed"), keyed("other"))
      let full = #expect(throws: SQLiteError.self) {
        try source.export(to: directory.file("full"), key: nil)
      }
      #expect(full?.code == .error)
      let keyed = #expect(throws: SQLiteError.self) {
        try source.export(to: directory.file("keyed"), key: EncryptionKey(passphrase: "third"))
      }
      #expect(keyed?.code.primary == .notADatabase)
      #expect(try content(of: directory.file("full"), Configuration()) == ["ä", "b"])
      let inside = #expect(throws: SQLiteError.self) {
        try source.transaction { try source.export(to: directory.file("inside"), key: nil) }
      }
      #expect(inside?.code == .insideTransaction)
      #expect(try source.attachedDatabases.isEmpty)
      #expect(try source.value(Int.self, "SELECT a FROM t") == 1)
    }

    @Test func `can be attached to another one, with or without a key`() throws {
      try fill(directory.file("one"), keyed("secret"))
      try fill(directory.file("other"), keyed("other"))
      try fill(directory.file("plain"), Configuration())
      let connection = try directory.connect(keyed("secret"))
      try connection.attach(.file(directory.file("one")), as: "one")
      try connection.attach(
        .file(directory.file("other")), as: "other", key: EncryptionKey(passphrase: "other"))
      try connection.attach(.file(directory.file("plain")), as: "plain", key: nil, isReadOnly: true)
      for schema in ["one", "other", "plain"] {
        #expect(
          try connection.values(String.self, "SELECT a FROM \(identifier: schema).t ORDER BY a")
            == ["b", "ä"])
      }
      let error = #expect(throws: SQLiteError.self) {
        try connection.attach(
          .file(directory.file("other")), as: "again", key: EncryptionKey(passphrase: "third"))
      }
      #expect(error?.code == .wrongKey)
      #expect(try connection.attachedDatabases.count == 3)
    }

    @Test func `can be backed up only to an encrypted one`() throws {
      let source = try Database(path: directory.file(), configuration: keyed("secret"))
      try source.write {
        try $0.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('ä'), ('b')")
      }
      let copy = try Connection(path: directory.file("copy"), configuration: keyed("other"))
      try source.writeWithoutTransaction { try $0.backup(to: copy) }
      try copy.close()
      #expect(try content(of: directory.file("copy"), keyed("other")) == ["ä", "b"])
      let plain = try Connection(path: directory.file("plain"))
      #expect(throws: SQLiteError.self) {
        try source.writeWithoutTransaction { try $0.backup(to: plain) }
      }
      #expect(try plain.value(Int.self, "SELECT count(*) FROM sqlite_master") == 0)
      try source.writeWithoutTransaction { try $0.vacuum(into: directory.file("vacuumed")) }
      #expect(try content(of: directory.file("vacuumed"), keyed("secret")) == ["ä", "b"])
    }

    @Test func `is not encrypted if it is in memory`() throws {
      let connection = try Connection.inMemory(configuration: keyed("secret"))
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
      let image = try connection.serialized()
      #expect(image.starts(with: Array("SQLite format 3\0".utf8)))
      let copy = try Connection(deserializing: image, configuration: keyed("secret"))
      #expect(try copy.value(Int.self, "SELECT a FROM t") == 1)
      _ = try Connection(.temporary, configuration: keyed("secret"))
    }

    private func keyed(_ passphrase: String) throws -> Configuration {
      var configuration = Configuration()
      configuration.key = try EncryptionKey(passphrase: passphrase)
      return configuration
    }

    private func fill(_ path: String, _ configuration: Configuration) throws {
      let connection = try Connection(path: path, configuration: configuration)
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('ä'), ('b')")
      try connection.close()
    }

    private func content(of path: String, _ configuration: Configuration) throws -> [String] {
      let connection = try Connection(path: path, configuration: configuration)
      return try connection.values(String.self, "SELECT CAST(a AS TEXT) FROM t ORDER BY rowid")
    }
  }
#endif
