internal import Observe
public import SQLiteCore
internal import Primitives

/// What a sequence of a database gives, collected for a test to look at.
///
/// ```swift
/// let counts = await Recording(database.observe(fetch), of: database)
/// try await database.write { try $0.run("INSERT INTO player (name) VALUES ('Ada')") }
/// await counts.settle()
/// #expect(counts.values == [0, 1])
/// ```
///
/// It takes any sequence that `Observe` makes of a database: values, results, commits, transactions, events, what a
/// request gives, throttled or mapped. It asks for each element as soon as it has the one before, in a task of its
/// own, which ends when the recording is let go.
public final class Recording<Element: Sendable>: Sendable {
  private let log: Log<Element>
  private let task: Task<Void, Never>
  private let database: Database

  /// Begins to record, and waits for what there is at first, as ``settle()`` does.
  ///
  /// - Parameters:
  ///   - sequence: What to iterate.
  ///   - database: Where its elements come from.
  public init<Base: AsyncSequence & Sendable>(
    _ sequence: Base, of database: Database
  ) async where Base.Element == Element {
    let log = Log<Element>()
    self.log = log
    self.database = database
    // Made now, so that settling waits until it has asked.
    let first = sequence.makeAsyncIterator()
    task = Task {
      var iterator = first
      do {
        while let element = try await iterator.nextElement() { log.add(element) }
        log.end(nil)
      } catch {
        log.end(error)
      }
    }
    await settle()
  }

  deinit { task.cancel() }

  /// All that has come, in order.
  public var values: [Element] { log.all.elements }

  /// Whether the sequence has ended: by itself, by an error or by ``cancel()``.
  public var hasEnded: Bool { log.all.hasEnded }

  /// What has ended the sequence; `nil` where nothing has, or nothing was thrown.
  public var error: (any Error)? { log.all.error }

  /// Takes what has come since the last time that it was taken.
  public func takeNew() -> [Element] { log.takeNew() }

  /// Waits until what was committed before the call has come, if it concerns the sequence.
  ///
  /// It waits for everyone who observes the database, not for this sequence alone: see
  /// `Database.settleObservations(includingConsumers:)`.
  public func settle() async { await database.settleObservations(includingConsumers: true) }

  /// Ends the recording: nothing comes after it.
  public func cancel() async {
    task.cancel()
    await task.value
  }
}

/// What was recorded.
private final class Log<Element: Sendable>: Sendable {
  struct Contents {
    var elements: [Element] = []
    var takenCount = 0
    var hasEnded = false
    var error: (any Error)?
  }

  private let contents = Mutex(Contents())

  var all: Contents { contents.withLock { $0 } }

  func add(_ element: Element) { contents.withLock { $0.elements.append(element) } }

  func end(_ error: (any Error)?) {
    contents.withLock { contents in
      contents.hasEnded = true
      contents.error = error
    }
  }

  func takeNew() -> [Element] {
    contents.withLock { contents in
      defer { contents.takenCount = contents.elements.count }
      return Array(contents.elements[contents.takenCount...])
    }
  }
}
