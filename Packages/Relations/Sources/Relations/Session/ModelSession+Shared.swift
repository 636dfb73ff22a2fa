internal import SQLiteCore
internal import Primitives

extension ModelSession {
  /// The session of the current task for tables of some settings: that which ``use(_:)`` says, or the process's.
  ///
  /// - Throws: As ``shared(for:)``.
  public static func current(for settings: SettingsKey) throws -> ModelSession {
    if let session = used { return session }
    return try shared(for: settings)
  }

  @TaskLocal private static var used: ModelSession?

  /// Runs `body` with this session in place of the process's own: for tests, and for work in another database.
  ///
  /// ```swift
  /// let session = ModelSession(try Database(.memory))
  /// try await session.use { try await Album.createWith(name: "Faith") }
  /// ```
  ///
  /// It holds for the task and those that it begins, and for all settings.
  public func use<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    defer { forgetReleased() }
    return try await Self.$used.withValue(self, operation: body)
  }

  /// The process's session for tables of some settings, whose database is opened at the first call.
  ///
  /// - ``SettingsKey/regular``: `models.db` in the folder of the application's data: on Linux
  ///   `$XDG_DATA_HOME`, or `~/.local/share`, and there the folder of the program's name; on Apple's platforms the application
  ///   support folder.
  /// - ``SettingsKey/cache``: `models.db` in the folder of the application's caches: `$XDG_CACHE_HOME`, or
  ///   `~/.cache`.
  /// - ``SettingsKey/memory``: in memory.
  ///
  /// - Throws: `SQLiteError` where the database can't be opened, ``RelationError`` where its folder can't be made.
  public static func shared(for settings: SettingsKey) throws -> ModelSession {
    try sessions.withLock { sessions throws in
      if let known = sessions[settings] { return known }
      let location: Database.Location =
        switch settings {
        case .memory: .memory
        case .path(let path): .file(path)
        case .regular: .file(try DataFolder.make(isCache: false) + "/models.db")
        case .cache: .file(try DataFolder.make(isCache: true) + "/models.db")
        }
      var configuration = Configuration()
      // The file is the application's own, and full-text indexes need it.
      configuration.trustsSchema = true
      let session = ModelSession(try Database(location, configuration: configuration))
      sessions[settings] = session
      return session
    }
  }

  /// Whether this is the process's own for tables of some settings.
  var isShared: Bool {
    Self.sessions.withLock { $0.values.contains { $0 === self } }
  }

  private static let sessions = Mutex<[SettingsKey: ModelSession]>([:])
}
