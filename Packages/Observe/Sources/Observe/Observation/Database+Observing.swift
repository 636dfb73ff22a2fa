public import SQLiteCore

extension Database {
  /// Observes what `fetch` reads: its value now, and again after each commit that may change it.
  ///
  /// SQLite tells at each fetch which tables and columns it read; it may read others the next time.
  /// Nothing is done before the sequence is iterated. See ``ValueObservation`` for what is guaranteed.
  ///
  /// - Parameter fetch: Reads the value in a read transaction, on a reader's thread. It may run often,
  ///   and must depend on nothing but the database.
  public func observe<Value: Sendable>(
    _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) -> ValueObservation<Value> {
    observe(nil, fetch)
  }

  /// Observes what `fetch` reads, which is said beforehand.
  ///
  /// - Parameters:
  ///   - region: What the value depends on; `nil` where SQLite is to tell.
  ///   - fetch: Reads the value: see ``observe(_:)``.
  public func observe<Value: Sendable>(
    _ region: Region?, _ fetch: @escaping @Sendable (Connection) throws -> Value
  ) -> ValueObservation<Value> {
    guard let region else {
      return observe(telling: { connection, region in
        let (result, access) = connection.recordingAccess { Result { try fetch(connection) } }
        region = Region(access)
        // Of a statement that could not be compiled nothing is known: the next schema may have its
        // table.
        if region.isEmpty { region = .schema }
        return try result.get()
      })
    }
    return ValueObservation(database: self, region: region) { try fetch($0.connection) }
  }

  /// Observes what `fetch` reads, and says itself at each fetch: by what it asked for, it may know the rows, of which
  /// SQLite tells tables and columns.
  ///
  /// ```swift
  /// let names = database.observe(telling: { connection, region in
  ///   let team = try connection.value(Int.self, "SELECT team FROM favorite") ?? 0
  ///   region = .table("favorite").union(.rows(of: "player", where: .column("team", equals: .integer(Int64(team)))))
  ///   return try connection.values(String.self, "SELECT name FROM player WHERE team = ?", team)
  /// })
  /// ```
  ///
  /// - Parameter fetch: Reads the value: see ``observe(_:)``. It sets the region, which is ``Region/nothing`` at first,
  ///   to what the value depends on, or where it throws, to what it has depended on until then.
  public func observe<Value: Sendable>(
    telling fetch: @escaping @Sendable (Connection, inout Region) throws -> Value
  ) -> ValueObservation<Value> {
    ValueObservation(database: self, region: nil) { try fetch($0.connection, &$0.region) }
  }

  /// The commits that change something of a region, in their order.
  public func changes(in region: Region = .everything) -> DatabaseObservation.ChangeSequence {
    let hub = ChangeHub.of(self)
    // In this order: no commit from `start` on is without its rows.
    let claim = ChangeClaim(hub)
    return DatabaseObservation.ChangeSequence(
      database: self, region: region, start: hub.position, claim: claim)
  }

  /// The transactions that change something, committed or rolled back, in their order.
  public var transactionEvents: DatabaseObservation.TransactionSequence {
    DatabaseObservation.TransactionSequence(database: self)
  }

  /// Says that something of a region may have changed that is not seen by itself: what another connection
  /// or process has written, or what a function of yours reads that is no table.
  ///
  /// ```swift
  /// database.notifyChanges(in: .table("player"))
  /// ```
  ///
  /// Whoever depends on it fetches again, and it has a place of its own among the commits in
  /// ``changes(in:)``. Of a region of columns, these may have other values; of a region of tables or
  /// of rows, rows may have come or gone too.
  ///
  /// Call it when the change can be read: what is fetched after it is taken for fresh. On a database that is
  /// closed it does nothing.
  public func notifyChanges(in region: Region = .everything) { ChangeHub.of(self).notify(region) }

  /// Has the database's commits recorded from now on, which the first observation does otherwise.
  ///
  /// Waits for the writer once. After this, ``changes(in:)`` begins at the moment of the call, and no
  /// observation ever waits for the writer.
  ///
  /// - Throws: `SQLiteError` with code `unsupported` where SQLite was built without the preupdate
  ///   hook, with code `closed` where the database is closed.
  public func startObserving() async throws { try await ChangeHub.of(self).install(in: self) }

  /// Has the commits of other processes to the database's file observed too, until every database of this process
  /// on the file is closed.
  ///
  /// ```swift
  /// try await database.startObserving(.exchanged)
  /// ```
  ///
  /// Without it, observed are the commits that this process makes: through this ``SQLiteCore/Database``, and
  /// through every other one that it opens on the same file. With it, also those by other processes, and by a
  /// `Connection` of this process that belongs to no `Database`. It costs each commit of ours a look at the file.
  ///
  /// For a database in memory it does nothing.
  ///
  /// - Throws: As ``startObserving()``; `SQLiteError` with code `cannotOpen` where the system can't watch the
  ///   file's folder, or the file for ``DatabaseObservation/CrossProcess/exchanged`` can't be opened.
  public func startObserving(_ others: DatabaseObservation.CrossProcess) async throws {
    try await ChangeHub.of(self).observe(others, in: self)
  }

  /// Looks at once whether another process has committed, and does not wait to be told by the system.
  ///
  /// When it returns, whoever depends on such a commit is about to fetch. It does nothing before
  /// ``startObserving(_:)``.
  public func noticeOtherProcesses() async { await ChangeHub.of(self).noticeOthers() }

  /// Waits until no observation has anything to fetch: what was committed before the call has been
  /// fetched for all who wait for it, and handed to them.
  ///
  /// With it a test needs no sleep before it looks at what observers were given:
  ///
  /// ```swift
  /// try await database.write { try $0.run("DELETE FROM player") }
  /// await database.settleObservations(includingConsumers: true)
  /// #expect(shown == [])
  /// ```
  ///
  /// An iteration counts from when it has asked for its first value. One that is throttled counts as waiting until
  /// its interval is over.
  /// It does not wait any longer when the task is cancelled or the database is closed; then only, with consumers,
  /// for those who are told so.
  ///
  /// - Parameter includingConsumers: Whether it waits, too, until every iteration has dealt with what it was
  ///   given and asks for more, or is let go after its end. An iterator that is kept, and not asked, then holds it up
  ///   for good.
  public func settleObservations(includingConsumers: Bool = false) async {
    await ChangeHub.of(self).settle(includingConsumers: includingConsumers)
  }
}

extension DatabaseReader {
  /// Observes what `fetch` reads, and says itself at each fetch, where there are commits to tell of: see
  /// ``SQLiteCore/Database/observe(telling:)``.
  ///
  /// - Returns: `nil` where the reader is neither a `Database` nor one that is only read, but a snapshot, say, which
  ///   never changes.
  public func observation<Value: Sendable>(
    telling fetch: @escaping @Sendable (Connection, inout Region) throws -> Value
  ) -> ValueObservation<Value>? {
    observed?.observe(telling: fetch)
  }
}

extension Database {
  /// What the observations of this database do, and why: for a log, a debug panel or a test.
  ///
  /// ```swift
  /// for await event in database.observationEvents {
  ///   print(event)  // players ← commit 2: player.score: updated 1 row (score: 10 → 12) | delivered in 95 µs
  /// }
  /// ```
  ///
  /// Observations have names by ``ValueObservation/named(_:)``, and numbers otherwise.
  public var observationEvents: DatabaseObservation.Events {
    DatabaseObservation.Events(hub: ChangeHub.of(self))
  }

  /// What observations there are now, and what they have cost.
  ///
  /// ```swift
  /// print(database.observationStatistics())
  /// ```
  ///
  /// They are counted whether anyone asks or not. Observations that begin, end or fetch meanwhile may be
  /// counted or not.
  ///
  /// - Complexity: O(*n* log *n*) in the number of observations.
  public func observationStatistics() -> DatabaseObservation.Statistics {
    ChangeHub.of(self).statistics()
  }
}

extension ValueObservation {
  /// Gives the observation a name, by which `Database.observationEvents` and
  /// `Database.observationStatistics()` tell of it.
  ///
  /// ```swift
  /// let players = database.observe(fetch).named("players")
  /// ```
  ///
  /// Requests such as a ``ValueObservationQueryable`` are observed under the name of their type.
  public func named(_ name: String) -> ValueObservation {
    var observation = self
    observation.name = name
    return observation
  }
}
