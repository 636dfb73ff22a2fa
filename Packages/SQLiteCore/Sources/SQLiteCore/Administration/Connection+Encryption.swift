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
