#if SQLCipher
  /// Encrypted databases: with the trait `SQLCipher`.
  extension Connection {
    /// Encrypts the database with another key, in place.
    ///
    /// The connection must be the only one that has the file open, in any process; this is checked. A database
    /// that is not encrypted is encrypted by ``export(to:key:)``, which also decrypts.
    ///
    /// ```swift
    /// let connection = try Connection(path: "notes.sqlite", configuration: configuration)
    /// try connection.rekey(to: EncryptionKey(passphrase: newPassphrase))
    /// ```
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` or ``SQLiteError/Code/locked`` if others have
    ///   the file open; with ``SQLiteError/Code/misuse`` if the database is not encrypted or is in memory, and if
    ///   the connection belongs to a ``Database``; with ``SQLiteError/Code/insideTransaction``;
    ///   with ``SQLiteError/Code/readOnly``; with ``SQLiteError/Code/ioError`` if the file could not be written, and
    ///   has the old key.
    /// - Complexity: O(*n*) in the size of the file.
    public func rekey(to key: EncryptionKey) throws {
      try refuseTransaction("a database is encrypted anew")
      guard !handle.owner.isExclusive else {
        throw SQLiteError(
          code: .misuse,
          message: "the connection belongs to a database: close it, and open the file by itself")
      }
      guard let old = self.key, let path = try path() else {
        throw SQLiteError(
          code: .misuse, message: "only an encrypted file has a key that can be replaced")
      }
      guard !configuration.isReadOnly else {
        throw SQLiteError(code: .readOnly, message: "the database was opened for reading")
      }
      cache.removeAll()
      // Without a write-ahead log, which is given up only by the last who has the file open, an exclusive lock
      // keeps out all others until the new key is in the file.
      let journalMode = try value(String.self, "PRAGMA journal_mode = DELETE")
      guard journalMode?.isEqualIgnoringASCIICase("DELETE") == true else {
        throw SQLiteError(code: .busy, message: "others have the file open: \(path)")
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
      // The lock is released by the next use of the file.
      try run("PRAGMA locking_mode = NORMAL")
      _ = try value(Int.self, "SELECT count(*) FROM sqlite_master")
      try written.get()
      do {
        var checking = Configuration()
        checking.isReadOnly = true
        checking.key = key
        checking.virtualFileSystem = configuration.virtualFileSystem
        try Connection(path: path, configuration: checking).close()
      } catch {
        // Otherwise what is written from now on would have the new key.
        try? handle.rekey(to: old)
        throw SQLiteError(
          code: .ioError, message: "the file could not be written with the new key: \(path)")
      }
      self.key = key
    }

    /// Writes a copy of the database to another file, encrypted with another key, or not encrypted.
    ///
    /// The copy has what a read sees, with the schema, the application's identifier and the user's version. This
    /// database may be encrypted or not, or be in memory.
    ///
    /// ```swift
    /// try connection.export(to: "plain.sqlite", key: nil)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file. It is made, or is empty.
    ///   - key: The key of the copy; `nil` for a file that is not encrypted.
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/insideTransaction`` inside a transaction; with
    ///   ``SQLiteError/Code/error`` if the file has content, or with ``SQLiteError/Code/notADatabase`` as primary code
    ///   if that can't be read with the key; with ``SQLiteError/Code/cannotOpen``; as reading does. The file is then
    ///   as it was, or empty.
    /// - Complexity: O(*n*) in the size of the database.
    public func export(to path: String, key: EncryptionKey?) throws {
      try refuseTransaction("a database is exported")
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

    /// Attaches a database with a key of its own, as ``attach(_:as:isReadOnly:createsFile:)`` does.
    ///
    /// That one attaches a database with this connection's key.
    ///
    /// - Parameter key: The key of the file; `nil` if it is not encrypted.
    /// - Throws: As ``attach(_:as:isReadOnly:createsFile:)``; ``SQLiteError`` with code
    ///   ``SQLiteError/Code/wrongKey``.
    public func attach(
      _ location: Database.Location, as name: String, key: EncryptionKey?, isReadOnly: Bool = false,
      createsFile: Bool = true
    ) throws(SQLiteError) {
      try SQLiteLibrary.require(.encryption)
      try attach(
        location, as: name, isReadOnly, createsFile: createsFile, keyBytes: key?.bytes ?? [])
    }

    /// Sets the journal mode as it was when the connection was opened.
    private func restoreJournalMode() throws(SQLiteError) {
      try run("PRAGMA journal_mode = \(unsafe: configuration.journalMode.rawValue)")
    }
  }
#endif
