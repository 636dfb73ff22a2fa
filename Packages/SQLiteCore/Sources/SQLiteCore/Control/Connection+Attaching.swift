extension Connection {
  /// A database that a connection has besides its own.
  public struct AttachedDatabase: Hashable, Sendable {
    /// What its tables are qualified with.
    public let name: String
    /// The file; `nil` for a database in memory or a temporary one.
    public let path: String?
    /// Whether nothing can be written to it.
    public let isReadOnly: Bool
  }
}

extension Connection {
  /// Opens another database in this connection, so that statements can use both.
  ///
  /// Each has its own journal mode: a new file has SQLite's default, not the configuration's. What
  /// one transaction writes to several files is written to all of them or none, except in a
  /// write-ahead log, where each file is so by itself.
  ///
  /// ```swift
  /// try connection.attach(.file("archive.sqlite"), as: "archive", isReadOnly: true)
  /// let old = try connection.values(String.self, "SELECT title FROM archive.book")
  /// ```
  ///
  /// - Parameters:
  ///   - location: Where it is.
  ///   - name: What statements call it.
  ///   - isReadOnly: Whether nothing may be written to it. A connection that only reads attaches
  ///     nothing else.
  ///   - createsFile: Whether a file that does not exist is made.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/schemaNameTaken`` where the connection
  ///   has a database of this name: `main` and `temp` are always there;
  ///   ``SQLiteError/Code/cannotOpen``, ``SQLiteError/Code/notADatabase``; ``SQLiteError/Code/error``
  ///   where ``Connection/Limit/attachedCount`` is reached; ``SQLiteError/Code/misuse`` for an empty
  ///   name, or a database in memory that is to be read-only.
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

  /// - Parameter keyBytes: The key; empty for a file that is not encrypted. `nil` if neither is.
  func attach(
    _ location: Database.Location, as name: String, _ isReadOnly: Bool, createsFile: Bool,
    keyBytes: [UInt8]?
  ) throws(SQLiteError) {
    try check(name)
    guard try schemaNames().allSatisfy({ !$0.isEqualIgnoringASCIICase(name) }) else {
      throw SQLiteError(
        code: .schemaNameTaken, message: "the connection has a database named \(name)")
    }
    var location = location
    if isReadOnly {
      guard !location.isInMemory else {
        throw SQLiteError(
          code: .misuse, message: "a database in memory can't be attached for reading alone")
      }
      location = location.narrowed(to: .readOnly)
    } else if !createsFile, !configuration.isReadOnly {
      location = location.narrowed(to: .readWrite)
    }
    let file = try location.fileName()
    do throws(SQLiteError) {
      if let keyBytes {
        // The key is a value of the statement, which tracers would see.
        try handle.setTracing(false)
        defer { try? handle.setTracing(true) }
        try run("ATTACH DATABASE ?1 AS ?2 KEY ?3", file, name, keyBytes)
      } else {
        try run("ATTACH DATABASE ?1 AS ?2", file, name)
      }
      // The file is read at its first use, which this is.
      _ = try run("SELECT 1 FROM \(identifier: name).sqlite_master LIMIT 1")
    } catch {
      try? detach(name)
      let isKeyWrong = keyBytes?.isEmpty == false && error.code.primary == .notADatabase
      throw SQLiteError(
        code: isKeyWrong ? .wrongKey : error.code, message: error.message, sql: error.sql,
        expandedSQL: keyBytes == nil ? error.expandedSQL : nil
      ).during("attaching \(location)")
    }
  }

  /// Closes a database that ``attach(_:as:isReadOnly:createsFile:)`` opened.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema`` where there is none of
  ///   this name; ``SQLiteError/Code/schemaInUse`` where a statement stands at a row of it or a
  ///   transaction has used it; ``SQLiteError/Code/misuse`` for `main` and `temp`.
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
      // It exists and may be detached: the engine refuses nothing else.
      throw SQLiteError(code: .schemaInUse, message: error.message, sql: error.sql)
    }
  }

  /// The databases that were attached, in the order of their attachment; neither `main` nor `temp`.
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

  /// The file of one of the connection's databases, as an absolute path; `nil` where it is in
  /// memory or temporary.
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

  /// Whether one of the connection's databases can't be written.
  ///
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unknownSchema``.
  public func isReadOnly(_ schema: String = "main") throws(SQLiteError) -> Bool {
    try requireSchema(schema)
    return try handle.isReadOnly(schema) ?? false
  }

  /// `main`, `temp` and the names of what was attached.
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
        code: .misuse, message: "a database's name is not empty, and holds no NUL character")
    }
  }
}
