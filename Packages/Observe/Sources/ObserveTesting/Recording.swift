internal import Observe
public import SQLiteCore
internal import Primitives

/// Collects the elements of a sequence for a test.
///
/// ```swift
/// let counts = await Recording(database.observe(fetch), of: database)
/// try await database.write { try $0.run("INSERT INTO player (name) VALUES ('Ada')") }
/// await counts.waitUntilIdle()
/// #expect(counts.values == [0, 1])
/// ```
///
/// A recording takes any sequence that `Observe` creates from a database: values, results, commits,
/// transactions, events, the values of a request, throttled or mapped. It requests each element as
/// soon as it has received the previous one, in a separate task, which ends when the recording is
/// deallocated.
public final class Recording<Element: Sendable>: Sendable {
  private let log: Log<Element>
  private let task: Task<Void, Never>
  private let database: Database

  /// Begins to record, and waits for the initial elements, as ``waitUntilIdle()`` does.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to iterate.
  ///   - database: The database that the elements come from.
  public init<Base: AsyncSequence & Sendable>(
    _ sequence: Base, of database: Database
  ) async where Base.Element == Element {
    let log = Log<Element>()
    self.log = log
    self.database = database
    // Created now, so that `waitUntilIdle()` waits for its first request.
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
    await waitUntilIdle()
  }

  deinit { task.cancel() }

  /// All recorded elements, in order.
  public var values: [Element] { log.all.elements }

  /// A Boolean value that indicates whether the sequence has ended: regularly, by an error or by
  /// ``cancel()``.
  public var hasEnded: Bool { log.all.hasEnded }

  /// The error that ended the sequence; `nil` if the sequence has not ended, or ended without an
  /// error.
  public var error: (any Error)? { log.all.error }

  /// Returns the elements that were recorded since the last call.
  public func takeNew() -> [Element] { log.takeNew() }

  /// Waits until the changes that were committed before the call have been recorded, if they affect
  /// the sequence.
  ///
  /// It waits for all observers of the database, not only for this sequence: see
  /// `Database.waitUntilIdle(includingConsumers:)`.
  public func waitUntilIdle() async { await database.waitUntilIdle(includingConsumers: true) }

  /// Ends the recording. No element is recorded afterwards.
  public func cancel() async {
    task.cancel()
    await task.value
  }
}

/// The recorded elements.
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
