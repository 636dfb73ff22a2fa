#if SQLCipher
  internal import CSQLite

  extension ConnectionHandle {
    /// Sets the key of the main database, before anything of it is read.
    func apply(_ key: EncryptionKey) throws(SQLiteError) {
      try SQLiteLibrary.require(.encryption)
      let db = unsafe try pointer()
      let rc = unsafe key.bytes.withUnsafeBytes {
        unsafe sqlite3_key_v2(db, "main", $0.baseAddress, Int32(clamping: $0.count))
      }
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }

    /// Writes every page with another key. Nobody else may use the file.
    ///
    /// SQLCipher returns no error of the transaction that it does this in.
    func rekey(to key: EncryptionKey) throws(SQLiteError) {
      let db = unsafe try pointer()
      let rc = unsafe key.bytes.withUnsafeBytes {
        unsafe sqlite3_rekey_v2(db, "main", $0.baseAddress, Int32(clamping: $0.count))
      }
      guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    }

    /// Whether the file begins as one that is not encrypted. It is read where SQLite has it open: to open and
    /// close it again would release the locks that the process has on it.
    func hasPlainHeader() throws(SQLiteError) -> Bool {
      unsafe holt_has_plain_header(try pointer(), "main") != 0
    }
  }
#endif
