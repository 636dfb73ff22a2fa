internal import SQLiteCore

/// A consumer's hold on its database: what iterators share, and what ends an iteration when they are
/// gone.
final class Subscription<Element: Sendable>: Sendable {
  private let database: Database
  private let hub: ChangeHub
  private let inbox: Inbox<Element>
  private let id: Schedule.ID
  private let control: DatabaseObservation.Control?
  private let pacers: [any FetchPacer]

  init(
    to database: Database, inbox: Inbox<Element>, control: DatabaseObservation.Control? = nil,
    pacers: [any FetchPacer] = [], add: (ChangeHub) -> Schedule.ID
  ) {
    self.database = database
    self.inbox = inbox
    self.control = control
    self.pacers = pacers
    hub = ChangeHub.of(database)
    id = add(hub)
    control?.add(self, id, in: hub)
    for pacer in pacers { pacer.begin(id, in: hub) }
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
            for pacer in pacers { pacer.consumerWaits() }
            hub.demand(id)
          } else {
            hub.remove(id)
          }
        }
      } onCancel: {
        finish()
      }
      for pacer in pacers { pacer.consumerIsServed() }
      return Task.isCancelled ? nil : element
    } catch {
      if Task.isCancelled {
        finish()
        return nil
      }
      // The hub forgets it with the iterator: by then the consumer has dealt with the error.
      control?.remove(self)
      inbox.end()
      throw error
    }
  }

  /// Takes note that nothing is asked for while `isResting` says so; `nil` when the consumer goes on.
  func rest(while isResting: (@Sendable () -> Bool)?) { hub.rest(id, while: isResting) }

  private func finish() {
    control?.remove(self)
    for pacer in pacers { pacer.consumerIsServed() }
    inbox.end()
    hub.remove(id)
  }
}
