internal import Primitives

/// The primary that was compared with the other hosts, shared by the connections of a database.
///
/// A primary that was replaced by a promoted standby accepts writes again if it is restarted. It has a lower timeline:
/// each promotion increments the number. https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES
struct KnownPrimary: Sendable {
  private(set) var timeline: Int64 = 0
  /// The host, until a connection is lost, after which another one may be promoted.
  private var host: PostgreSQLConfiguration.Host?
  /// The time of the comparison. It is repeated, because a promotion is not noticed without an open connection.
  private var time: UInt64 = 0
  private static let validity: UInt64 = 1_000_000_000

  enum Judgement {
    case current, outdated, unknown
  }

  func judge(_ host: PostgreSQLConfiguration.Host, timeline: Int64) -> Judgement {
    if timeline < self.timeline { return .outdated }
    let isKnown = timeline == self.timeline && host == self.host
    return isKnown && EventLoop.now &- time < Self.validity ? .current : .unknown
  }

  /// Notes the highest timeline of all hosts, and the primary that has it.
  mutating func note(timeline: Int64, host: PostgreSQLConfiguration.Host?) {
    guard timeline >= self.timeline else { return }
    self.timeline = timeline
    self.host = host
    time = EventLoop.now
  }

  mutating func forgetHost() { host = nil }
}

extension Session {
  /// The time limit of asking one of the other hosts for its timeline.
  private static let comparisonTimeout: Duration = .seconds(2)

  /// Throws if this connection is to a primary that has been replaced.
  func checkTimeline(
    of host: PostgreSQLConfiguration.Host, _ target: PostgreSQLConfiguration.TargetSession
  ) async throws {
    guard configuration.hosts.count > 1, target == .primary || target == .readWrite else { return }
    let timeline = try await timeline()
    switch shared.primary.withLock({ $0.judge(host, timeline: timeline) }) {
    case .current: return
    case .outdated: throw replaced(timeline)
    case .unknown: break
    }
    let newest = await newestTimeline(except: host)
    shared.primary.withLock {
      $0.note(timeline: max(timeline, newest), host: newest > timeline ? nil : host)
    }
    // Another task may have found a newer one at the same time.
    if shared.primary.withLock({ $0.timeline }) > timeline { throw replaced(timeline) }
  }

  private func replaced(_ timeline: Int64) -> PostgreSQLError {
    PostgreSQLError(
      code: .connectionFailed,
      message: "the primary was replaced: another host has a newer timeline than \(timeline)")
  }

  /// The highest timeline of the other hosts that answer; 0 if none does.
  private func newestTimeline(except host: PostgreSQLConfiguration.Host) async -> Int64 {
    var probe = configuration
    probe.connectTimeout = min(configuration.connectTimeout, Self.comparisonTimeout)
    probe.statementTimeout = Self.comparisonTimeout
    probe.targetSession = .any
    probe.onNotice = nil
    return await withTaskGroup(of: Int64.self) { [probe, shared] group in
      for other in configuration.hosts where other != host {
        var single = probe
        single.hosts = [other]
        group.addTask { [single] in
          guard let session = try? await Session.connect(single, shared: shared) else { return 0 }
          let timeline = try? await session.timeline()
          await session.close()
          return timeline ?? 0
        }
      }
      return await group.reduce(0) { max($0, $1) }
    }
  }

  /// The timeline to which a primary writes, or that a standby follows.
  private func timeline() async throws -> Int64 {
    try await perform {
      try await integer(
        """
        SELECT (CASE WHEN pg_is_in_recovery() THEN coalesce(
          (SELECT received_tli FROM pg_stat_wal_receiver),
          (SELECT timeline_id FROM pg_control_checkpoint()))
        ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END)::int8
        """)
    }
  }

  /// Runs a statement without a name, and reads its only value.
  func integer(_ sql: String) async throws -> Int64 {
    guard try openHandle().sendCommand(sql) else { throw sendingFailed(sql) }
    var reception = Reception(
      nil, sql: sql, catalog: catalog, showsValues: configuration.showsValuesInErrors)
    var value: Int64?
    try await receive(&reception) { value = try $0.read(Int64?.self, at: 0) }
    _ = try finish(reception, nil)
    guard let value else {
      throw PostgreSQLError(
        code: .unexpectedResult, message: "the server returned no number", sql: sql)
    }
    return value
  }
}
