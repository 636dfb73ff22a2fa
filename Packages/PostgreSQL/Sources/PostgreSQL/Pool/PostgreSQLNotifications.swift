/// The notifications of channels, as other connections send them with `NOTIFY`.
///
/// The sequence has a dedicated connection, which is closed when the sequence and its iterators are released. It ends
/// with an error if the connection is lost: notifications may have been missed then.
public final class PostgreSQLNotifications: AsyncSequence, Sendable {
  private let session: Session

  fileprivate init(_ session: Session) { self.session = session }

  deinit {
    let session = session
    Task.detached { await session.close() }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(notifications: self) }

  fileprivate func next() async throws -> [PostgreSQLNotification] {
    let session = session
    return try await session.perform { try await session.nextNotifications() }
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let notifications: PostgreSQLNotifications
    private var received: ArraySlice<PostgreSQLNotification> = []

    fileprivate init(notifications: PostgreSQLNotifications) { self.notifications = notifications }

    /// The next notification. Never returns `nil`.
    ///
    /// - Throws: ``PostgreSQLError`` if the connection is lost; `CancellationError`.
    public mutating func next() async throws -> PostgreSQLNotification? {
      while received.isEmpty { received = try await notifications.next()[...] }
      return received.popFirst()
    }
  }
}

extension PostgreSQLDatabase {
  /// Listens to channels.
  ///
  /// Every notification that is sent after this method returns is received. A notification arrives after the commit of
  /// the transaction that sent it.
  ///
  /// ```swift
  /// for try await notification in try await database.listen(to: "job") {
  ///   print(notification.payload)
  /// }
  /// ```
  ///
  /// - Parameter channels: The names of the channels.
  /// - Throws: ``PostgreSQLError`` if no connection can be opened; `CancellationError`.
  @concurrent
  public func listen(to channels: String...) async throws -> PostgreSQLNotifications {
    let session = try await Session.connect(configuration, shared: pool.shared)
    let notifications = PostgreSQLNotifications(session)
    try await session.perform {
      for channel in channels {
        let query: PostgreSQLQuery = "LISTEN \(identifier: channel)"
        _ = try query.allValues(with: [])
        try await session.command(query.text)
      }
    }
    return notifications
  }
}

extension Session {
  /// Waits for notifications.
  func nextNotifications() async throws -> [PostgreSQLNotification] {
    while true {
      let notifications = try openHandle().takeNotifications()
      if !notifications.isEmpty { return notifications }
      guard try await waitForInput() else { throw CancellationError() }
    }
  }
}
