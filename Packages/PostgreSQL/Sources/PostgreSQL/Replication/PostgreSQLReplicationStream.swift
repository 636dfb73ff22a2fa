/// The committed changes of a database's tables, row by row, as the server decodes them from its log.
///
/// ```swift
/// let stream = try await database.replicationStream(of: ["todos_publication"])
/// for try await message in stream {
///   if case .insert(_, let row) = message { print(row.count) }
/// }
/// ```
///
/// The stream has a dedicated connection with a temporary slot, which keeps the server from deleting its log. The slot
/// ends with the connection, so that a program that ends in any way can't fill the server's disk; in return, changes
/// during an interruption are missed. The connection is closed when the stream and its iterators are released.
///
/// The server ends a stream that is not read for its setting `wal_sender_timeout`, by default a minute.
public final class PostgreSQLReplicationStream: AsyncSequence, Sendable {
  private let session: Session
  private let database: PostgreSQLDatabase
  private let state = StreamState()

  fileprivate init(_ session: Session, _ database: PostgreSQLDatabase) {
    self.session = session
    self.database = database
  }

  deinit {
    let session = session
    Task.detached { await session.close() }
  }

  /// Closes the connection.
  public func close() async { await session.close() }

  /// Receives messages, at least one.
  ///
  /// - Parameter includingRows: Whether the values of rows are needed. Otherwise the rows of these messages have no
  ///   columns, which takes less time.
  /// - Throws: ``PostgreSQLError`` if the connection is lost or the server ends the stream; `CancellationError`.
  public func nextMessages(
    includingRows: Bool = true
  ) async throws -> [PostgreSQLReplicationMessage] {
    var messages = try await session.perform {
      try await session.nextMessages(state, includingRows: includingRows)
    }
    for index in messages.indices {
      if case .relation(let relation) = messages[index] {
        messages[index] = .relation(await described(relation))
      }
    }
    return messages
  }

  /// Returns a table with the formats of its types.
  private func described(
    _ relation: PostgreSQLReplicationRelation
  ) async -> PostgreSQLReplicationRelation {
    let types = relation.columns.map(\.type)
    if !session.catalog.missing(from: types).isEmpty {
      // A type that can't be looked up has no known format.
      try? await database.withConnection { connection in
        try await connection.perform { try await $0.loadTypes(types) }
      }
    }
    var relation = relation
    relation.resultColumns = ResultColumns(
      sql: nil, names: relation.columns.map(\.name), types: types, catalog: session.catalog)
    return relation
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let stream: PostgreSQLReplicationStream
    private var received: ArraySlice<PostgreSQLReplicationMessage> = []

    fileprivate init(stream: PostgreSQLReplicationStream) { self.stream = stream }

    /// The next message. Never returns `nil`.
    ///
    /// - Throws: ``PostgreSQLError`` if the connection is lost or the server ends the stream; `CancellationError`.
    public mutating func next() async throws -> PostgreSQLReplicationMessage? {
      while received.isEmpty { received = try await stream.nextMessages()[...] }
      return received.popFirst()
    }
  }
}

extension PostgreSQLDatabase {
  /// Begins to receive the changes of the tables of publications.
  ///
  /// Every transaction that commits after this method has returned is received, in the order of the commits. The method
  /// waits for the transactions that have written before and have not ended.
  ///
  /// The server needs the setting `wal_level = logical`, a free slot (`max_replication_slots`, `max_wal_senders`), and a
  /// role with the attribute `REPLICATION`. The stream contains all rows of the publications, regardless of the role's
  /// other privileges and of row-level security. A publication that does not exist is an error at the first change.
  ///
  /// - Parameter publications: The names of the publications.
  /// - Throws: ``PostgreSQLError`` if no connection can be opened, or the server refuses it; `CancellationError`.
  @concurrent
  public func replicationStream(
    of publications: [String]
  ) async throws -> PostgreSQLReplicationStream {
    var configuration = configuration
    configuration.isReplication = true
    configuration.targetSession = .primary
    // The server waits for other transactions.
    configuration.statementTimeout = nil
    let session = try await Session.connect(configuration, shared: pool.shared)
    do {
      try await session.perform { try await session.startReplication(of: publications) }
    } catch {
      await session.close()
      throw error
    }
    return PostgreSQLReplicationStream(session, self)
  }
}

/// The state of a stream.
///
/// `@unchecked Sendable`: used by the task that has the session's turn.
private final class StreamState: @unchecked Sendable {
  /// The position up to which all changes were received.
  var position = PostgreSQLLogPosition(rawValue: 0)
  var nextStatusTime: UInt64 = 0
}

extension Session {
  /// The interval at which the server is informed of the position.
  private static let statusInterval: Duration = .seconds(1)
  /// The number of messages that are returned together.
  private static let maximumMessageCount = 512

  /// Creates a temporary slot, and starts to receive the changes.
  fileprivate func startReplication(of publications: [String]) async throws {
    let slot = "holt_\(String(UInt64.random(in: 0..<UInt64.max), radix: 36))"
    try await replicationCommand(
      "CREATE_REPLICATION_SLOT \(slot) TEMPORARY LOGICAL pgoutput NOEXPORT_SNAPSHOT")
    let names = try publications.map { name throws(PostgreSQLError) in
      let query: PostgreSQLQuery = "\(identifier: name)"
      _ = try query.allValues(with: [])
      return query.text.replacing("'", with: "''")
    }
    var options = "proto_version '1', publication_names '\(names.joined(separator: ","))'"
    let version = try openHandle().parameterStatus("server_version") ?? ""
    // Since PostgreSQL 14.
    if let major = Int(version.prefix(while: \.isNumber)), major >= 14 {
      options += ", binary 'true', messages 'true'"
    }
    try await replicationCommand(
      "START_REPLICATION SLOT \(slot) LOGICAL 0/0 (\(options))", beginsCopy: true)
  }

  /// Runs a command of the replication protocol.
  private func replicationCommand(_ command: String, beginsCopy: Bool = false) async throws {
    let handle = try openHandle()
    guard handle.sendScript(command) else { throw sendingFailed(command) }
    var reception = Reception(
      nil, sql: command, catalog: catalog, showsValues: configuration.showsValuesInErrors)
    var isPending = try flush()
    while true {
      switch handle.receive(&reception, { _ in }) {
      case .copyIn, .copyOut:
        if beginsCopy { return }
        throw lose("the server began a copy unexpectedly")
      case .complete, .limitReached:
        _ = try finish(reception, nil)
        if !beginsCopy { return }
        throw PostgreSQLError(
          code: .unexpectedResult, message: "the replication did not begin", sql: command)
      case .needsInput: isPending = try await waitForSocket(isWriting: isPending)
      }
    }
  }

  /// Receives messages, at least one.
  fileprivate func nextMessages(
    _ state: StreamState, includingRows: Bool
  ) async throws -> [PostgreSQLReplicationMessage] {
    let handle = try openHandle()
    var messages: [PostgreSQLReplicationMessage] = []
    while messages.count < Self.maximumMessageCount {
      if EventLoop.now >= state.nextStatusTime { try sendStatus(state) }
      switch handle.nextCopiedRow() {
      case .row(let data):
        let packet = try data.withBytes { bytes throws(PostgreSQLError) in
          try ReplicationDecoder.packet(bytes, includesRows: includingRows)
        }
        switch packet {
        case .message(let message):
          if case .commit(_, let end) = message { state.position = max(state.position, end) }
          messages.append(message)
        case .keepalive(let end, let needsReply):
          // The position of a message that was not returned yet is not confirmed by this.
          state.position = max(state.position, end)
          if needsReply { try sendStatus(state) }
        case .unknown: break
        }
      case .needsInput:
        if !messages.isEmpty { return messages }
        guard try await waitForInput(until: state.nextStatusTime) else {
          throw CancellationError()
        }
      case .complete, .failed:
        if !messages.isEmpty { return messages }
        var reception = Reception(
          nil, sql: nil, catalog: catalog, showsValues: configuration.showsValuesInErrors)
        try await receive(&reception) { _ in }
        _ = try finish(reception, nil)
        throw lose("the server ended the replication")
      }
    }
    return messages
  }

  /// Informs the server of the position, which also shows that the connection is alive.
  private func sendStatus(_ state: StreamState) throws(PostgreSQLError) {
    var status: [UInt8] = [UInt8(ascii: "r")]
    // The positions that are received, written and applied.
    for _ in 0..<3 { status.append(bigEndian: state.position.rawValue) }
    status.append(bigEndian: WallClock.microseconds)
    status.append(0)
    // If the output is full, the next status follows soon.
    if try openHandle().putCopy(status) == .failed { throw lose() }
    _ = try flush()
    state.nextStatusTime = EventLoop.time(after: Self.statusInterval)
  }
}
