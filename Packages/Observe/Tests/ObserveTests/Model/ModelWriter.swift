import SQLiteCore

/// Writes to a database in every possible way.
struct ModelWriter: Sendable {
  let database: Database
  let ledger: ModelLedger
  let witness: ModelWitness

  /// - Parameter database: A database that only this writer writes to.
  init(_ database: Database, _ ledger: ModelLedger) async throws {
    self.database = database
    self.ledger = ledger
    let witness = ModelWitness(ledger)
    self.witness = witness
    try await database.writeWithoutTransaction { _ = try $0.hooks.add(witness) }
  }

  /// Writes in one access, as the seed determines.
  func write(seed: UInt64) async {
    var random = ModelRandom(seed: seed)
    do {
      switch random.below(16) {
      case 0..<5: try await transaction(random, isUndone: false)
      case 5, 6: try await transaction(random, isUndone: true)
      case 7..<11: try await script(random)
      case 11: try await singly(random)
      case 12: try await outerSavepoint(random)
      case 13: try await vetoed(random)
      case 14: try await unfinished(random)
      default: try await violating(random)
      }
    } catch is ModelSession.Undo {
    } catch is ModelSession.Ended {
    } catch is ModelWitness.Veto {
    } catch is CancellationError {
    } catch {
      ledger.trace("-- \(error)")
    }
  }

  /// A transaction with the package's API.
  private func transaction(_ random: ModelRandom, isUndone: Bool) async throws {
    try await database.write { connection in
      var session = ModelSession(connection, ledger, random)
      session.isPoisoned = isUndone
      defer { ledger.trace(isUndone ? "} undone" : "}") }
      ledger.trace("write {")
      try witness.begin(connection)
      try session.statements(1 + session.random.below(4))
      if isUndone { throw ModelSession.Undo() }
    }
  }

  /// A transaction in raw SQL.
  private func script(_ random: ModelRandom) async throws {
    try await alone { connection in
      var session = ModelSession(connection, ledger, random)
      let isUndone = session.random.once(in: 4)
      session.isPoisoned = isUndone
      try connection.execute(SQL(unsafe: session.random.word("BEGIN IMMEDIATE", "BEGIN EXCLUSIVE")))
      ledger.trace("BEGIN")
      try witness.begin(connection)
      try session.statements(1 + session.random.below(6))
      session.isInTransaction = false
      try session.perform(isUndone ? "ROLLBACK" : session.random.word("COMMIT", "END"))
      if connection.isInTransaction { try session.perform("ROLLBACK") }
    }
  }

  /// Each statement without a transaction.
  private func singly(_ random: ModelRandom) async throws {
    try await alone { connection in
      var session = ModelSession(connection, ledger, random)
      session.isInTransaction = false
      try session.statements(1 + session.random.below(2))
    }
  }

  /// An outermost savepoint.
  private func outerSavepoint(_ random: ModelRandom) async throws {
    try await alone { connection in
      var session = ModelSession(connection, ledger, random)
      let isUndone = session.random.once(in: 2)
      session.isPoisoned = isUndone
      try connection.execute("SAVEPOINT outermost")
      ledger.trace("SAVEPOINT outermost")
      if !isUndone { try witness.begin(connection) }
      try session.statements(1 + session.random.below(3))
      session.isInTransaction = false
      if isUndone { try session.perform("ROLLBACK TO outermost") }
      try session.perform("RELEASE outermost")
      if connection.isInTransaction { try session.perform("ROLLBACK") }
    }
  }

  /// A transaction whose commit is vetoed by an observer of the connection.
  private func vetoed(_ random: ModelRandom) async throws {
    try await database.writeWithoutTransaction { connection in
      witness.veto(true)
      defer { witness.veto(false) }
      try connection.transaction {
        var session = ModelSession(connection, ledger, random)
        session.isPoisoned = true
        ledger.trace("write {")
        defer { ledger.trace("} vetoed") }
        try witness.begin(connection)
        try session.statements(1 + session.random.below(3))
      }
    }
  }

  /// A transaction that remains open at the end of the access.
  private func unfinished(_ random: ModelRandom) async throws {
    try await database.writeWithoutTransaction { connection in
      var session = ModelSession(connection, ledger, random)
      session.isPoisoned = true
      try connection.execute("BEGIN")
      ledger.trace("BEGIN")
      defer { ledger.trace("-- left open") }
      try witness.begin(connection)
      try session.statements(1 + session.random.below(3))
    }
  }

  /// A transaction whose commit SQLite refuses, because of a violated foreign key.
  private func violating(_ random: ModelRandom) async throws {
    try await alone { connection in
      var session = ModelSession(connection, ledger, random)
      session.isPoisoned = true
      try connection.execute("BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON")
      ledger.trace("BEGIN; PRAGMA defer_foreign_keys = ON")
      try witness.begin(connection)
      try session.statements(1 + session.random.below(3))
      let isViolated = try session.perform("INSERT INTO child (p) VALUES (-77)")
      session.isInTransaction = false
      if isViolated, try session.perform("COMMIT") {
        ledger.report("a violated foreign key was committed")
      }
      if connection.isInTransaction { try session.perform("ROLLBACK") }
    }
  }

  /// An access without a transaction, which leaves none open.
  private func alone(_ body: @escaping @Sendable (Connection) throws -> Void) async throws {
    try await database.writeWithoutTransaction { connection in
      do {
        try body(connection)
      } catch {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        throw error
      }
    }
  }
}
