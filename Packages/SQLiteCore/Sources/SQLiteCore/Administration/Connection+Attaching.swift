extension Connection {
  /// An attached database.
  public struct AttachedDatabase: Hashable, Sendable {
    /// The schema name, with which its tables are qualified.
    public let name: String
    /// The path of the file, or `nil` for an in-memory or temporary database.
    public let path: String?
    /// Indicates whether the database is read-only.
    public let isReadOnly: Bool
  }
}

extension Connection {
  /// Attaches another database to this connection, so that statements can use both.
  ///
  /// Each database has its own journal mode: a new file has SQLite's default, not the configuration's. A transaction
  /// that writes to several files is atomic across them. With write-ahead logs, it is only atomic for each file.
  ///
  /// ```swift
  /// try connection.attach(.file("archive.sqlite"), as: "archive", isReadOnly: true)
  /// let old = try connection.values(String.self, "SELECT title FROM archive.book")
  /// ```
  ///
  /// - Parameters:
  ///   - location: The location of the database.
  ///   - name: The schema name for statements.
  ///   - isReadOnly: Whether the database is read-only. A read-only connection attaches only read-only databases.
  ///   - createsFile: Whether a missing file is created.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schemaNameTaken`` if the connection already has a database
  ///   with this name (`main` and `temp` always exist); ``SQLiteError/Code/cannotOpen``;
  ///   ``SQLiteError/Code/notADatabase``; ``SQLiteError/Code/error`` if ``Connection/Limit/attachedCount`` is reached;
  ///   ``SQLiteError/Code/misuse`` for an empty name, or an in-memory database with `isReadOnly`.
  public func attach(
    _ location: Database.Location, as name: String, isReadOnly: Bool = false,
    createsFile: Bool = true
  ) throws(SQLiteError) {
    #if SQLCipher
      try attach(
        location, as: name, isReadOnly, createsFile: createsFile,
        keyBytes: key.map { location.isInMemory ? [] : $0.bytes })
    #else
      try attach(location, as: name, isReadOnly, createsFile: createsFile, keyBytes: nil)
    #endif
  }

  /// - Parameter keyBytes: The key, or empty for an unencrypted file. `nil` if neither the connection's database nor
  ///   the file is encrypted.
  func attach(
    _ location: Database.Location, as name: String, _ isReadOnly: Bool, createsFile: Bool,
    keyBytes: [UInt8]?
  ) throws(SQLiteError) {
    try check(name)
    guard try schemaNames().allSatisfy({ !$0.isEqualIgnoringASCIICase(name) }) else {
      throw SQLiteError(
        code: .schemaNameTaken, message: "the connection already has a database named \(name)")
    }
    var location = location
    if isReadOnly {
      guard !location.isInMemory else {
        throw SQLiteError(
          code: .misuse, message: "an in-memory database can't be attached read-only")
      }
      location = location.narrowed(to: .readOnly)
    } else if !createsFile, !configuration.isReadOnly {
      location = location.narrowed(to: .readWrite)
    }
    let file = try location.fileName()
    do throws(SQLiteError) {
      if let keyBytes {
        // The key is a bound value of the statement, which trace hooks would receive.
        try handle.setTracing(false)
        defer { try? handle.setTracing(true) }
        try run("ATTACH DATABASE ?1 AS ?2 KEY ?3", file, name, keyBytes)
      } else {
        try run("ATTACH DATABASE ?1 AS ?2", file, name)
      }
      // SQLite reads the file at its first use, which is this statement.
      _ = try run("SELECT 1 FROM \(identifier: name).sqlite_master LIMIT 1")
    } catch {
      try? detach(name)
      let isKeyWrong = keyBytes?.isEmpty == false && error.code.primary == .notADatabase
      throw SQLiteError(
        code: isKeyWrong ? .wrongKey : error.code, message: error.message, sql: error.sql,
        expandedSQL: keyBytes == nil ? error.expandedSQL : nil
      ).addingContext("attaching \(location)")
    }
  }

  /// Detaches a database that ``attach(_:as:isReadOnly:createsFile:)`` attached.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema`` if there is no database with this name;
  ///   ``SQLiteError/Code/schemaInUse`` if a statement on it has not ended or a transaction has used it;
  ///   ``SQLiteError/Code/misuse`` for `main` and `temp`.
  public func detach(_ name: String) throws(SQLiteError) {
    try check(name)
    guard try schemaNames().contains(where: { $0.isEqualIgnoringASCIICase(name) }) else {
      throw SQLiteError(
        code: .unknownSchema, message: "the connection has no database named \(name)")
    }
    if ["main", "temp"].contains(where: { $0.isEqualIgnoringASCIICase(name) }) {
      throw SQLiteError(code: .misuse, message: "the database \(name) can't be detached")
    }
    do throws(SQLiteError) {
      try run("DETACH DATABASE ?1", name)
    } catch {
      guard error.code == .error else { throw error }
      // The database exists and can be detached, so being in use is the only other reason.
      throw SQLiteError(code: .schemaInUse, message: error.message, sql: error.sql)
    }
  }

  /// The attached databases, in the order of their attachment, without `main` and `temp`.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/closed``.
  public var attachedDatabases: [AttachedDatabase] {
    get throws(SQLiteError) {
      var found: [AttachedDatabase] = []
      for row in try rows("PRAGMA database_list") {
        guard case .integer(2...) = row[0], case .text(let name) = row[1] else { continue }
        var path: String?
        if case .text(let file) = row[2], !file.isEmpty { path = file }
        found.append(
          AttachedDatabase(
            name: name, path: path, isReadOnly: try handle.isReadOnly(name) ?? false))
      }
      return found
    }
  }

  /// Returns the absolute path of a database's file, or `nil` for an in-memory or temporary database.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func path(of schema: String = "main") throws(SQLiteError) -> String? {
    try requireSchema(schema)
    for row in try rows("PRAGMA database_list") {
      guard case .text(let name) = row[1], name.isEqualIgnoringASCIICase(schema) else { continue }
      if case .text(let file) = row[2], !file.isEmpty { return file }
    }
    return nil
  }

  /// Returns whether a database is read-only.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func isReadOnly(_ schema: String = "main") throws(SQLiteError) -> Bool {
    try requireSchema(schema)
    return try handle.isReadOnly(schema) ?? false
  }

  /// Returns `main`, `temp` and the names of the attached databases.
  func schemaNames() throws(SQLiteError) -> [String] {
    let listed = try rows("PRAGMA database_list").compactMap { row -> String? in
      if case .text(let name) = row[1] { name } else { nil }
    }
    return listed + (listed.contains("temp") ? [] : ["temp"])
  }

  func requireSchema(_ name: String) throws(SQLiteError) {
    guard try schemaNames().contains(where: { $0.isEqualIgnoringASCIICase(name) }) else {
      throw SQLiteError(
        code: .unknownSchema, message: "the connection has no database named \(name)")
    }
  }

  private func check(_ name: String) throws(SQLiteError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw SQLiteError(
        code: .misuse, message: "a database's name must not be empty or contain a NUL character")
    }
  }
}

#if SQLCipher
  /// Methods for encrypted databases. Available with the trait `SQLCipher`.
  extension Connection {
    /// Encrypts the database with a new key, in place.
    ///
    /// The connection must be the only one in any process that has the file open, which is checked. To encrypt an
    /// unencrypted database, or to decrypt a database, use ``export(to:key:)``.
    ///
    /// ```swift
    /// let connection = try Connection(path: "notes.sqlite", configuration: configuration)
    /// try connection.rekey(to: EncryptionKey(passphrase: newPassphrase))
    /// ```
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` or ``SQLiteError/Code/locked`` if another
    ///   connection has the file open; ``SQLiteError/Code/misuse`` if the database is not encrypted or is in memory, or
    ///   if the connection belongs to a ``Database``, which has its own `rekey(to:)`;
    ///   ``SQLiteError/Code/insideTransaction``; ``SQLiteError/Code/readOnly``; ``SQLiteError/Code/ioError`` if the
    ///   file could not be written, and still has the old key.
    /// - Complexity: O(*n*) in the size of the file.
    public func rekey(to key: EncryptionKey) throws {
      try checkNotInTransaction("a database can be rekeyed")
      guard !handle.owner.isExclusive else {
        throw SQLiteError(
          code: .misuse,
          message: "the connection belongs to a Database: use the database's rekey(to:)")
      }
      try replaceKey(by: key)
    }

    /// Replaces the key as ``rekey(to:)`` does, also for a database's only open connection.
    func replaceKey(by key: EncryptionKey) throws {
      guard let old = self.key, let path = try path() else {
        throw SQLiteError(
          code: .misuse, message: "the database is not an encrypted file: use export(to:key:)")
      }
      guard !configuration.isReadOnly else {
        throw SQLiteError(code: .readOnly, message: "the database is read-only")
      }
      cache.removeAll()
      // Only the last connection to a file can leave WAL mode. Without a write-ahead log, an exclusive lock keeps out
      // other connections until the new key is in the file.
      let journalMode = try value(String.self, "PRAGMA journal_mode = DELETE")
      guard journalMode?.isEqualIgnoringASCIICase("DELETE") == true else {
        throw SQLiteError(code: .busy, message: "another connection has the file open: \(path)")
      }
      do {
        try replaceKey(old, by: key, path)
      } catch {
        try? restoreJournalMode()
        throw error
      }
      try restoreJournalMode()
    }

    private func replaceKey(_ old: EncryptionKey, by key: EncryptionKey, _ path: String) throws {
      try run("PRAGMA locking_mode = EXCLUSIVE")
      let written = Result {
        try transaction(.exclusive) {}
        try handle.rekey(to: key)
      }
      // The next use of the file releases the lock.
      try run("PRAGMA locking_mode = NORMAL")
      _ = try value(Int.self, "SELECT count(*) FROM sqlite_master")
      try written.get()
      do {
        var checking = Configuration()
        checking.isReadOnly = true
        checking.key = key
        checking.cipherCompatibility = configuration.cipherCompatibility
        checking.virtualFileSystem = configuration.virtualFileSystem
        try Connection(path: path, configuration: checking).close()
      } catch {
        // Otherwise later writes would use the new key.
        try? handle.rekey(to: old)
        throw SQLiteError(
          code: .ioError, message: "the file could not be written with the new key: \(path)")
      }
      self.key = key
    }

    /// Writes a copy of the database to another file, encrypted with another key or unencrypted.
    ///
    /// The copy contains the state that a read sees, with the schema, the application ID and the user version. This
    /// database can be encrypted, unencrypted or in memory.
    ///
    /// ```swift
    /// try connection.export(to: "plain.sqlite", key: nil)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must not exist or must be empty.
    ///   - key: The key of the copy, or `nil` for an unencrypted file.
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/insideTransaction`` inside a transaction;
    ///   ``SQLiteError/Code/error`` if the file has content, or a code with the primary code
    ///   ``SQLiteError/Code/notADatabase`` if its content can't be read with the key; ``SQLiteError/Code/cannotOpen``;
    ///   the errors of reading. The file is then unchanged or empty.
    /// - Complexity: O(*n*) in the size of the database.
    public func export(to path: String, key: EncryptionKey?) throws {
      try checkNotInTransaction("a database can be exported")
      let schema = "holt_export"
      try attach(.file(path), as: schema, key: key)
      defer { try? detach(schema) }
      guard try value(Int.self, "SELECT count(*) FROM holt_export.sqlite_master") == 0 else {
        throw SQLiteError(code: .error, message: "the file has content: \(path)")
      }
      try transaction(.deferred) {
        try run("SELECT sqlcipher_export('holt_export')")
        try setUserVersion(userVersion(), of: schema)
        try setApplicationID(applicationID(), of: schema)
      }
    }

    /// Attaches a database with its own key. ``attach(_:as:isReadOnly:createsFile:)`` uses this connection's key.
    ///
    /// - Parameters:
    ///   - location: The location of the database.
    ///   - name: The schema name in this connection.
    ///   - key: The key of the file, or `nil` if it is not encrypted.
    ///   - isReadOnly: Whether the database can't be written.
    ///   - createsFile: Whether to create a file that does not exist.
    /// - Throws: The same errors as ``attach(_:as:isReadOnly:createsFile:)``; ``SQLiteError`` with code
    ///   ``SQLiteError/Code/wrongKey``.
    public func attach(
      _ location: Database.Location, as name: String, key: EncryptionKey?, isReadOnly: Bool = false,
      createsFile: Bool = true
    ) throws(SQLiteError) {
      try SQLiteLibrary.require(.encryption)
      try attach(
        location, as: name, isReadOnly, createsFile: createsFile, keyBytes: key?.bytes ?? [])
    }

    /// Restores the journal mode of the configuration.
    private func restoreJournalMode() throws(SQLiteError) {
      try run("PRAGMA journal_mode = \(unsafe: configuration.journalMode.rawValue)")
    }
  }
#endif
