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
