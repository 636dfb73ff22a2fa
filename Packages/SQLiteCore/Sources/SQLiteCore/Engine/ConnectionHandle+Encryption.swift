#if SQLCipher
  internal import CSQLite

  extension ConnectionHandle {
    /// Sets the key of the main database. Must be called before any of it is read.
    func apply(_ key: EncryptionKey) throws(SQLiteError) {
      try SQLiteLibrary.require(.encryption)
      let db = unsafe try pointer()
      let rc = unsafe key.bytes.withUnsafeBytes {
        unsafe sqlite3_key_v2(db, "main", $0.baseAddress, Int32(clamping: $0.count))
      }
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }

    /// Re-encrypts every page with another key. No other connection may use the file.
    ///
    /// SQLCipher does not report errors of the transaction that it uses for this.
    func rekey(to key: EncryptionKey) throws(SQLiteError) {
      let db = unsafe try pointer()
      let rc = unsafe key.bytes.withUnsafeBytes {
        unsafe sqlite3_rekey_v2(db, "main", $0.baseAddress, Int32(clamping: $0.count))
      }
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }

    /// Returns whether the file has the header of an unencrypted database. The file descriptor that
    /// SQLite has open is used: opening and closing the file again would release the process's
    /// locks on it.
    func hasPlainHeader() throws(SQLiteError) -> Bool {
      unsafe holt_has_plain_header(try pointer(), "main") != 0
    }
  }
#endif
