internal import Observe
internal import PostgreSQL
internal import Primitives
internal import Router
internal import SQLiteCore

/// The way in which changes are reported, which was found to be possible.
enum ChangeChannel: Hashable, Sendable {
  case replication(publication: String)
  case notifications(channel: String)

  var publication: String? {
    if case .replication(let publication) = self { publication } else { nil }
  }

  var method: PostgreSQLChangeSource.Method {
    if case .replication = self { .replication } else { .notifications }
  }
}

extension ChangeChannel {
  /// Determines how a source's database reports changes.
  ///
  /// - Throws: `RouterError` with code `unsupported`, with a message that lists the missing requirements.
  static func find(
    for source: PostgreSQLChangeSource, on access: some PostgreSQLAccess
  ) async throws -> ChangeChannel {
    try await find(
      source.method, publication: source.publication, channel: source.channel, on: access)
  }

  fileprivate static func find(
    _ method: PostgreSQLChangeSource.Method, publication: String, channel: String,
    on access: some PostgreSQLAccess
  ) async throws -> ChangeChannel {
    if method == .notifications { return .notifications(channel: channel) }
    var missing: [String] = []
    var hasTriggers = false
    try await access.result(of: query, values: [publication]).forEach { row in
      let level = try row.read(String.self, at: 0)
      if level != "logical" {
        missing.append("`wal_level` is \(level) and must be logical, which needs a restart")
      }
      if try !row.read(Bool.self, at: 1) {
        missing.append(
          "the role \(try row.read(String.self, at: 2)) needs the attribute REPLICATION")
      }
      switch try row.read(Bool?.self, at: 3) {
      case nil: missing.append("the publication \(publication) does not exist")
      case false?:
        missing.append("the publication \(publication) must publish all kinds of changes")
      case true?: break
      }
      hasTriggers = try row.read(Bool.self, at: 4)
    }
    if missing.isEmpty { return .replication(publication: publication) }
    if method == .automatic, hasTriggers { return .notifications(channel: channel) }
    var message = "the server can't report changes: \(missing.joined(separator: "; "))"
    if method == .automatic {
      message += ". Or install triggers by `PostgreSQLChangeSource.installTriggers(on:)`"
    }
    throw RouterError(code: .unsupported, message: message)
  }

  private static let query: PostgreSQLQuery = """
    SELECT current_setting('wal_level'), r.rolreplication OR r.rolsuper, r.rolname::text,
      (SELECT pubinsert AND pubupdate AND pubdelete AND pubtruncate
        FROM pg_catalog.pg_publication WHERE pubname = $1),
      EXISTS (SELECT 1 FROM pg_catalog.pg_trigger WHERE tgname = 'holt_changes')
    FROM pg_catalog.pg_roles r WHERE r.rolname = session_user
    """
}

/// Receives the changes of a database, and connects again if the connection is lost.
struct ChangeConnection: Sendable {
  private let database: PostgreSQLDatabase
  private let publisher: ChangePublisher
  private let method: PostgreSQLChangeSource.Method
  private let publication: String
  private let channel: String
  private let onEvent: (@Sendable (PostgreSQLChangeSource.Event) -> Void)?
  private let schemaDidChange: @Sendable () -> Void

  private enum Stream: Sendable {
    case replication(PostgreSQLReplicationStream)
    case notifications(PostgreSQLNotifications)
  }

  /// The time for which the first values wait for a connection that waits for other transactions.
  private static let startTime = Duration.seconds(2)

  init(
    _ source: PostgreSQLChangeSource,
    onEvent: (@Sendable (PostgreSQLChangeSource.Event) -> Void)?
  ) {
    database = source.database
    publisher = source.publisher
    method = source.method
    publication = source.publication
    channel = source.channel
    self.onEvent = onEvent
    schemaDidChange = { [weak source] in source?.schemaDidChange() }
  }

  /// Publishes changes until the task is cancelled, or changes can no longer be reported.
  ///
  /// - Parameters:
  ///   - gate: Opened when changes are reported for the first time, or can't be.
  ///   - didConnect: Called after each connection.
  func run(_ gate: StartGate, _ didConnect: @Sendable (ChangeChannel) -> Void) async {
    // A slot begins after the transactions that write at the moment. Values that are fetched earlier are fetched again.
    let timer = Task {
      try await Task.sleep(for: Self.startTime)
      gate.open(.success(()))
    }
    defer { timer.cancel() }
    var isFirst = true
    var delay = Duration.milliseconds(50)
    while !Task.isCancelled {
      do {
        let (channel, stream) = try await connect()
        didConnect(channel)
        onEvent?(.connected(channel.method))
        let isOpened = gate.open(.success(()))
        // Commits may have been missed before this connection.
        if !isFirst || !isOpened { publisher.publishGap() }
        isFirst = false
        delay = .milliseconds(50)
        try await receive(from: stream)
      } catch {
        if Task.isCancelled { break }
        // The first failure ends the observations that wait for it.
        if gate.open(.failure(error)) { return publisher.end(throwing: error) }
        onEvent?(.disconnected(error))
        guard error is CancellationError || (error as? PostgreSQLError)?.isTemporary == true else {
          return publisher.end(throwing: error)
        }
        isFirst = false
        try? await Task.sleep(for: delay)
        delay = min(delay * 2, .seconds(5))
      }
    }
    gate.open(.failure(CancellationError()))
  }

  private func connect() async throws -> (ChangeChannel, Stream) {
    let found = try await ChangeChannel.find(
      method, publication: publication, channel: channel, on: database)
    switch found {
    case .replication(let publication):
      return (
        found, .replication(try await database.replicationStream(of: [publication]))
      )
    case .notifications(let channel):
      return (found, .notifications(try await database.listen(to: channel)))
    }
  }

  private func receive(from stream: Stream) async throws {
    switch stream {
    case .replication(let stream):
      do {
        try await receive(from: stream)
      } catch {
        await stream.close()
        throw error
      }
    case .notifications(let notifications):
      for try await notification in notifications {
        publisher.publish(ChangeSet(notification: notification.payload))
      }
    }
  }

  private func receive(from stream: PostgreSQLReplicationStream) async throws {
    var reader = TransactionReader()
    while true {
      try Task.checkCancellation()
      for message in try await stream.nextMessages(includingRows: reader.needsRows) {
        if case .relation(let relation) = message {
          let properties = try? await ReplicatedTable.Properties(of: relation.id, on: database)
          if reader.describe(ReplicatedTable(relation, properties)) { schemaDidChange() }
        } else if let (changes, transaction) = reader.add(message) {
          publisher.publish(changes, of: UInt64(transaction))
        }
      }
    }
  }
}
