internal import Primitives
internal import SQLiteCore

/// Retains the database for a consumer. Shared by copies of an iterator; its deallocation ends the
/// iteration.
final class Subscription<Element: Sendable>: Sendable {
  private let database: Database
  private let hub: ChangeHub
  private let inbox: Inbox<Element>
  private let id: Schedule.ID
  private let control: DatabaseObservation.Control?
  private let refreshTimers: [RefreshTimer]

  init(
    to database: Database, inbox: Inbox<Element>, control: DatabaseObservation.Control? = nil,
    refreshTimers: [RefreshTimer] = [], add: (ChangeHub) -> Schedule.ID
  ) {
    self.database = database
    self.inbox = inbox
    self.control = control
    self.refreshTimers = refreshTimers
    hub = ChangeHub.of(database)
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
      try await hub.install(in: database)
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
