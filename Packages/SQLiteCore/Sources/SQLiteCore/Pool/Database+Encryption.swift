#if SQLCipher
  internal import Primitives

  /// The key with which a database's connections are opened.
  final class CurrentKey: Sendable {
    private let key: Mutex<EncryptionKey?>

    init(_ key: EncryptionKey?) { self.key = Mutex(key) }

    var value: EncryptionKey? {
      get { key.withLock(\.self) }
      set { key.withLock { $0 = newValue } }
    }
  }

  extension Database {
    /// Encrypts the database with another key, in place.
    ///
    /// The call is serialized with the writes, waits for the running reads, and closes their connections. Reads that
    /// begin in the meantime wait, and then use the new key. The hooks and settings of the writer's connection are
    /// preserved.
    ///
    /// ```swift
    /// try database.rekey(to: EncryptionKey(passphrase: newPassphrase))
    /// ```
    ///
    /// Blocks the calling thread. In a task, use the asynchronous form.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` or ``SQLiteError/Code/locked`` if another
    ///   connection has the file open, or a snapshot or a row stream of this database is in use; with
    ///   ``SQLiteError/Code/misuse`` if the database is not encrypted or is in memory; with
    ///   ``SQLiteError/Code/readOnly``; with ``SQLiteError/Code/nestedAccess`` inside another access; with
    ///   ``SQLiteError/Code/ioError`` if the file could not be written. The file and the database then keep the old
    ///   key.
    /// - Complexity: O(*n*) in the size of the file.
    public func rekey(to key: EncryptionKey) throws {
      try writeWithoutTransaction { try self.replaceKey(by: key, with: $0) }
    }

    /// Encrypts the database with another key, in place, on the writer's thread.
    ///
    /// - Throws: The errors of the synchronous form; `CancellationError` if the task was cancelled, in which case the
    ///   database keeps its old key.
    public func rekey(to key: EncryptionKey) async throws {
      try await writeWithoutTransaction { try self.replaceKey(by: key, with: $0) }
    }

    /// - Parameter connection: The writer's connection, which the caller has exclusive access to.
    private func replaceKey(by key: EncryptionKey, with connection: Connection) throws {
      guard !isShared else { return try connection.replaceKey(by: key) }
      guard retainedReaders.pauseIfUnused() else {
        throw SQLiteError(
          code: .busy, message: "a snapshot or a row stream of the database is in use")
      }
      defer { retainedReaders.unpause() }
      readers.pause()
      defer { readers.unpause() }
      try connection.replaceKey(by: key)
      self.key.value = key
    }
  }
#endif
