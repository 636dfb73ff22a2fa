internal import Primitives

/// The connections for reads of a database with standbys.
final class Replicas: Sendable {
  /// A position in the primary's write-ahead log.
  private struct Position {
    let value: Int64
    /// The time before which committed transactions are before the position.
    let time: UInt64
    /// The number of operations on the primary that ended before.
    let operationCount: UInt64
  }

  private struct State {
    /// The last positions, in the order of their times.
    var positions: [Position] = []
    /// The time before which no connection to a standby is opened, because none was available.
    var retryTime: UInt64 = 0
  }

  /// The state that the connections for writes share, too.
  private let shared: SharedSessionState
  private let standbys: ConnectionPool
  /// Connections to the primary that refuse writes.
  private let primaryReads: ConnectionPool
  private let state = Mutex(State())
  private static let retryInterval: UInt64 = 1_000_000_000
  private static let positionCount = 16

  init(_ primary: ConnectionPool) {
    shared = primary.shared
    var configuration = primary.configuration
    configuration.minimumConnectionCount = 0
    configuration.isReadOnly = true
    configuration.targetSession = .primary
    primaryReads = ConnectionPool(configuration, shared: shared)
    configuration.targetSession = .standby
    configuration.triesHostsInRandomOrder = true
    standbys = ConnectionPool(configuration, shared: shared)
  }

  func close() {
    standbys.close()
    primaryReads.close()
  }

  /// Returns a connection to a server that has the data that the consistency requires.
  func acquire(
    _ consistency: PostgreSQLReadConsistency
  ) async throws -> (ConnectionPool, Session) {
    if let session = try await standby(consistency) { return (standbys, session) }
    return (primaryReads, try await primaryReads.acquire())
  }

  /// Returns a connection to a standby, or `nil` if the primary should be used.
  private func standby(_ consistency: PostgreSQLReadConsistency) async throws -> Session? {
    var required: Int64?
    var deadline: UInt64 = 0
    switch consistency {
    case .primary: return nil
    case .eventual(nil): break
    case .eventual(let lag?):
      let time = EventLoop.now
      let oldest = time - min(time, EventLoop.nanoseconds(lag))
      required = try await position { $0.time >= oldest }
    case .afterOwnWrites(let timeout):
      let count = shared.operationCount.load(ordering: .acquiring)
      if count > 0 { required = try await position { $0.operationCount >= count } }
      deadline = EventLoop.time(after: timeout)
    }
    guard let session = try await availableStandby() else { return nil }
    guard let required else { return session }
    do {
      if try await session.hasReplayed(required, until: deadline) { return session }
    } catch is CancellationError {
      await standbys.release(session)
      throw CancellationError()
    } catch {
      // The connection was lost, or the server is no longer a standby.
    }
    await standbys.release(session)
    return nil
  }

  private func availableStandby() async throws -> Session? {
    guard EventLoop.now >= state.withLock({ $0.retryTime }) else { return nil }
    do {
      return try await standbys.acquire()
    } catch let error as PostgreSQLError where error.code == .connectionFailed {
      state.withLock { $0.retryTime = EventLoop.now + Self.retryInterval }
      return nil
    }
  }

  /// Returns the first known position with a property, or asks the primary for its current one, which has it.
  private func position(where isSufficient: (Position) -> Bool) async throws -> Int64 {
    if let known = state.withLock({ $0.positions.first(where: isSufficient) }) {
      return known.value
    }
    // Both are read before the position, which is then at least as new.
    let (time, count) = (EventLoop.now, shared.operationCount.load(ordering: .acquiring))
    let session = try await primaryReads.acquire()
    let value: Int64
    do {
      value = try await session.perform { try await session.currentPosition() }
    } catch {
      await primaryReads.release(session)
      throw error
    }
    await primaryReads.release(session)
    state.withLock { state in
      state.positions.append(Position(value: value, time: time, operationCount: count))
      if state.positions.count > Self.positionCount { state.positions.removeFirst() }
    }
    return value
  }
}

extension Session {
  /// The primary's position, before which all transactions are that it has committed.
  fileprivate func currentPosition() async throws -> Int64 {
    try await integer("SELECT (pg_current_wal_insert_lsn() - '0/0')::int8")
  }

  /// Waits until this standby has replayed the primary's log up to a position.
  ///
  /// - Returns: Whether that happened before the deadline.
  fileprivate func hasReplayed(_ position: Int64, until deadline: UInt64) async throws -> Bool {
    var pause: UInt64 = 500_000
    while true {
      let isReplayed = try await perform {
        if replayedPosition < position {
          replayedPosition = try await integer("SELECT (pg_last_wal_replay_lsn() - '0/0')::int8")
        }
        return replayedPosition >= position
      }
      if isReplayed { return true }
      guard EventLoop.now + pause < deadline else { return false }
      try await Task.sleep(nanoseconds: pause)
      pause = min(2 * pause, 20_000_000)
    }
  }
}
