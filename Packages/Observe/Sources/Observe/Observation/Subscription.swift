internal import Primitives
internal import SQLiteCore

/// Retains the database for a consumer. Shared by copies of an iterator; its deallocation ends the
/// iteration.
final class Subscription<Element: Sendable>: Sendable {
  private let database: ObservedDatabase
  private let hub: ChangeHub
  private let inbox: Inbox<Element>
  private let id: Schedule.ID
  private let control: DatabaseObservation.Control?
  private let refreshTimers: [RefreshTimer]

  init(
    to database: ObservedDatabase, inbox: Inbox<Element>,
    control: DatabaseObservation.Control? = nil,
    refreshTimers: [RefreshTimer] = [], add: (ChangeHub) -> Schedule.ID
  ) {
    self.database = database
    self.inbox = inbox
    self.control = control
    self.refreshTimers = refreshTimers
    hub = database.hub
    id = add(hub)
    control?.add(self, id, in: hub)
    for timer in refreshTimers { timer.begin(id, in: hub) }
  }

  deinit { finish() }

  func next() async throws -> Element? {
    do {
      if Task.isCancelled {
        finish()
        return nil
      }
      try await database.beginObserving(hub)
      let element = try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          if inbox.wait(continuation) {
            for timer in refreshTimers { timer.consumerWaits() }
            hub.demand(id)
          } else {
            hub.remove(id)
          }
        }
      } onCancel: {
        finish()
      }
      for timer in refreshTimers { timer.consumerDidReceive() }
      return Task.isCancelled ? nil : element
    } catch {
      if Task.isCancelled {
        finish()
        return nil
      }
      // The hub removes the observer together with the iterator; by then the consumer has handled
      // the error.
      control?.remove(self)
      inbox.end()
      throw error
    }
  }

  /// Records that the consumer requests nothing while `isThrottled` returns true; `nil` ends this
  /// state.
  func throttle(while isThrottled: (@Sendable () -> Bool)?) {
    hub.throttle(id, while: isThrottled)
  }

  private func finish() {
    control?.remove(self)
    for timer in refreshTimers { timer.consumerDidReceive() }
    inbox.end()
    hub.remove(id)
  }
}

/// The database that a consumer retains.
enum ObservedDatabase: Sendable {
  case sqlite(Database)
  case source(any ChangeSource)

  var hub: ChangeHub {
    switch self {
    case .sqlite(let database): ChangeHub.of(database)
    case .source(let source): source.hub
    }
  }

  /// The database, if it is one of SQLite.
  var sqlite: Database? {
    if case .sqlite(let database) = self { database } else { nil }
  }

  /// Begins to record commits.
  func beginObserving(_ hub: ChangeHub) async throws {
    switch self {
    case .sqlite(let database): try await hub.install(in: database)
    case .source(let source): try await source.beginObserving()
    }
  }
}

extension ChangeSource {
  /// The publisher's hub, which then refers to this source.
  var hub: ChangeHub {
    let hub = publisher.hub
    hub.weakSource.withLock { if $0.source == nil { $0.source = self } }
    return hub
  }
}
