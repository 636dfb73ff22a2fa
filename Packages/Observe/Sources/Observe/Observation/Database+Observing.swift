public import SQLiteCore

extension Database {
  /// Observes the data that `fetch` reads: its current value, and a new value after each commit
  /// that may change it.
  ///
  /// SQLite reports the tables and columns that each fetch reads; they can vary from fetch to
  /// fetch. No work is done until the sequence is iterated. See ``ValueObservation`` for the
  /// guarantees.
  ///
  /// - Parameter fetch: Reads the value in a read transaction, on a reader's thread. It may run
  ///   often, and must depend only on the database.
  public func observe<Value: Sendable>(
    _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) -> ValueObservation<Value> {
    observe(nil, fetch)
  }

  /// Observes the data that `fetch` reads, with an explicit region.
  ///
  /// - Parameters:
  ///   - region: The region that the value depends on; `nil` to use the region that SQLite reports.
  ///   - fetch: Reads the value: see ``observe(_:)``.
  public func observe<Value: Sendable>(
    _ region: Region?, _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) -> ValueObservation<Value> {
    guard let region else {
      return observe(trackingRegion: { connection, region in
        let (result, access) = connection.recordingAccess { Result { try fetch(connection) } }
        region = Region(access)
        // The region of a statement that could not be compiled is unknown: a later schema may have
        // its table.
        if region.isEmpty { region = .schema }
        return try result.get()
      })
    }
    return ValueObservation(database: .sqlite(self), region: region) { try fetch($0.connection) }
  }

  /// Observes the data that `fetch` reads, with a region that `fetch` sets each time it runs. The
  /// region can select rows, while SQLite reports only tables and columns.
  ///
  /// ```swift
  /// let names = database.observe(trackingRegion: { connection, region in
  ///   let team = try connection.value(Int.self, "SELECT team FROM favorite") ?? 0
  ///   region = .table("favorite").union(.rows(of: "player", where: .column("team", equals: .integer(Int64(team)))))
  ///   return try connection.values(String.self, "SELECT name FROM player WHERE team = ?", team)
  /// })
  /// ```
  ///
  /// - Parameter fetch: Reads the value: see ``observe(_:)``. It sets the region, initially
  ///   ``Region/nothing``, to the dependencies of the value or, if it throws, to the dependencies
  ///   until then.
  public func observe<Value: Sendable>(
    trackingRegion fetch: @escaping @Sendable (Connection, inout Region) throws -> Value
  ) -> ValueObservation<Value> {
    ValueObservation(database: .sqlite(self), region: nil) {
      try fetch($0.connection, &$0.region)
    }
  }

  /// The commits that change something in a region, in order.
  public func changes(in region: Region = .everything) -> DatabaseObservation.ChangeSequence {
    let hub = ChangeHub.of(self)
    // In this order, so that every commit after `start` includes its rows.
    let token = RowRecordingToken(hub)
    return DatabaseObservation.ChangeSequence(
      database: .sqlite(self), region: region, start: hub.position, recordingToken: token)
  }

  /// The transactions that change something, committed or rolled back, in order.
  public var transactionEvents: DatabaseObservation.TransactionSequence {
    DatabaseObservation.TransactionSequence(database: .sqlite(self))
  }

  /// Notifies observers of changes in a region that are not observed automatically: writes of
  /// another connection or process, or data outside the database that a function reads.
  ///
  /// ```swift
  /// database.notifyChanges(in: .table("player"))
  /// ```
  ///
  /// Observations that depend on the region fetch again, and ``changes(in:)`` delivers the
  /// notification in sequence with the commits. For a region of columns, values of these columns
  /// may have changed; for a region of tables or rows, rows may also have been inserted or deleted.
  ///
  /// Call this method when the changes are visible to readers: a fetch that begins later counts as
  /// current. Calling it on a closed database has no effect.
  public func notifyChanges(in region: Region = .everything) { ChangeHub.of(self).notify(region) }

  /// Starts recording the database's commits. Otherwise the first observation does so.
  ///
  /// Waits for the writer once. Afterwards, ``changes(in:)`` begins at the time of the call, and no
  /// observation waits for the writer.
  ///
  /// - Throws: `SQLiteError` with code `unsupported` if SQLite was built without the preupdate
  ///   hook, or with code `closed` if the database is closed.
  public func startObserving() async throws { try await ChangeHub.of(self).install(in: self) }

  /// Also observes commits of other processes to the database's file, until all of this process's
  /// databases on the file are closed.
  ///
  /// ```swift
  /// try await database.startObserving(.exchanged)
  /// ```
  ///
  /// Without this call, only this process's commits are observed: those made through this
  /// ``/SQLiteCore/Database`` and through other databases opened on the same file. With it, commits
  /// by other processes, and by a `Connection` of this process that belongs to no `Database`, are
  /// observed too. Each commit of this process then also reads the state of the file.
  ///
  /// For an in-memory database this method has no effect.
  ///
  /// - Throws: The same errors as ``startObserving()``; `SQLiteError` with code `cannotOpen` if the
  ///   system can't watch the file's folder, or the file for
  ///   ``DatabaseObservation/CrossProcess/exchanged`` can't be opened.
  public func startObserving(_ mode: DatabaseObservation.CrossProcess) async throws {
    try await ChangeHub.of(self).observe(mode, in: self)
  }

  /// Checks immediately whether another process has committed, without waiting for a notification
  /// from the system.
  ///
  /// When this method returns, the fetches of affected observations have been scheduled. It has no
  /// effect before ``startObserving(_:)``.
  public func checkForExternalChanges() async { await ChangeHub.of(self).checkForExternalChanges() }

  /// Waits until no observation has a pending fetch: everything committed before the call has been
  /// fetched and delivered to all waiting observers.
  ///
  /// A test can use it instead of sleeping before it checks the received values:
  ///
  /// ```swift
  /// try await database.write { try $0.run("DELETE FROM player") }
  /// await database.waitUntilIdle(includingConsumers: true)
  /// #expect(shown == [])
  /// ```
  ///
  /// An iteration counts as soon as it has requested its first value. A throttled iteration counts
  /// as waiting until its interval has ended. The wait ends early if the task is cancelled or the
  /// database is closed; in that case, with `includingConsumers`, it still waits for consumers that
  /// are notified of the end.
  ///
  /// - Parameter includingConsumers: Whether to also wait until every consumer has processed its
  ///   last element and requests the next one, or has released its iterator after the end. An
  ///   iterator that is retained but not used blocks this method indefinitely.
  public func waitUntilIdle(includingConsumers: Bool = false) async {
    await ChangeHub.of(self).waitUntilIdle(includingConsumers: includingConsumers)
  }
}

extension DatabaseReader {
  /// Observes the data that `fetch` reads, with a region that `fetch` sets, if the reader's
  /// database can change: see ``SQLiteCore/Database/observe(trackingRegion:)``.
  ///
  /// - Returns: `nil` if the reader is neither a `Database` nor a read-only view of one, but for
  ///   example a snapshot, which never changes.
  public func observation<Value: Sendable>(
    trackingRegion fetch: @escaping @Sendable (Connection, inout Region) throws -> Value
  ) -> ValueObservation<Value>? {
    observed?.observe(trackingRegion: fetch)
  }
}

extension Database {
  /// The events of this database's observations and their causes, for a log, a debug panel or a
  /// test.
  ///
  /// ```swift
  /// for await event in database.observationEvents {
  ///   print(event)  // players ← commit 2: player.score: updated 1 row (score: 10 → 12) | delivered in 95 µs
  /// }
  /// ```
  ///
  /// Observations are identified by the name set with ``ValueObservation/named(_:)``, or by a
  /// number.
  ///
  /// In debug builds, queries that run at least 10 times in a loop are also reported: see
  /// ``observationEvents(repeatedQueryThreshold:)``.
  public var observationEvents: DatabaseObservation.Events {
    #if DEBUG
      observationEvents(repeatedQueryThreshold: 10)
    #else
      observationEvents(repeatedQueryThreshold: nil)
    #endif
  }

  /// The events of ``observationEvents``, with queries in loops that run at least the given number
  /// of times.
  ///
  /// ```swift
  /// for await event in database.observationEvents(repeatedQueryThreshold: 50) {
  ///   if let query = event.repeatedQuery { print(query.sql, query.count) }
  /// }
  /// ```
  ///
  /// A query is reported once per access, or per fetch of an observation, if it ran with different
  /// values while or after another query returned several rows. Statements that write, statements
  /// that read SQLite's schema, and runs in separate accesses are not reported: each fetch of a
  /// relation of Relations is an access. Lists that are bound to one parameter count as equal. Bound
  /// values are not included.
  ///
  /// - Parameter repeatedQueryThreshold: The number of runs from which a query is reported, at
  ///   least 2; `nil` to report none.
  /// - Complexity: While events with a threshold are iterated, SQLite's trace hook is set on every
  ///   connection: each run of a query costs two clock readings and a dictionary lookup, and each
  ///   row a call. The values are expanded and hashed until two runs differ. Otherwise the hook is
  ///   not set.
  public func observationEvents(repeatedQueryThreshold: Int?) -> DatabaseObservation.Events {
    DatabaseObservation.Events(
      hub: ChangeHub.of(self), repeatedQueryThreshold: repeatedQueryThreshold)
  }

  /// Returns the current observations and their costs.
  ///
  /// ```swift
  /// print(database.observationStatistics())
  /// ```
  ///
  /// The counters are always kept. Observations that begin, end or fetch during the call may or may
  /// not be included.
  ///
  /// - Complexity: O(*n* log *n*) in the number of observations.
  public func observationStatistics() -> DatabaseObservation.Statistics {
    ChangeHub.of(self).statistics()
  }
}

extension ValueObservation {
  /// Names the observation in `Database.observationEvents` and `Database.observationStatistics()`.
  ///
  /// ```swift
  /// let players = database.observe(fetch).named("players")
  /// ```
  ///
  /// Requests such as ``ValueObservationQueryable`` are named after their type.
  public func named(_ name: String) -> ValueObservation {
    var observation = self
    observation.name = name
    return observation
  }
}
