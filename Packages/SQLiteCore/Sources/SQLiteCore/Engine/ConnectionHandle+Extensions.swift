internal import CSQLite

extension ConnectionHandle {
  /// Loads an extension. SQL can't load one, before or after.
  ///
  /// - Throws: ``SQLiteError/Code/unsupported`` where this build of SQLite can't load any;
  ///   ``SQLiteError/Code/error`` with the loader's words where this one can't be loaded.
  func load(_ file: Configuration.LoadableExtension) throws(SQLiteError) {
    try SQLiteLibrary.require(.loadableExtensions)
    for text in [file.path, file.entryPoint ?? ""] where text.utf8.contains(0) || file.path.isEmpty
    {
      throw SQLiteError(code: .misuse, message: "no name of a library: \(text)")
    }
    let db = unsafe try pointer()
    let option = Int32(holt_dbconfig_enable_load_extension)
    unsafe holt_db_config(db, option, 1)
    defer { unsafe holt_db_config(db, option, 0) }
    var words: UnsafeMutablePointer<CChar>?
    let rc = unsafe holt_load_extension(db, file.path, file.entryPoint, &words)
    defer { unsafe sqlite3_free(words) }
    guard rc != SQLITE_OK else { return }
    let reason = unsafe words.map { unsafe String(cString: $0) } ?? "code \(rc)"
    throw SQLiteError(
      code: SQLiteError.Code(rawValue: rc), message: "the extension \(file.path): \(reason)")
  }
}
