import Foundation
import SQLiteCore

@testable import Observe

/// The values that one observer received, and the problems found in them.
///
/// `@unchecked Sendable`: `lock` guards the other properties.
final class ModelLog: @unchecked Sendable {
  struct State {
    var hasBegun = false
    var hasEnded = false
    /// The error that ended its iteration.
    var failure: (any Error)?
    /// The number of elements received.
    var count = 0
    var last: Result<ModelValue, any Error>?
    /// The versions since the last check.
    var versions: [Int] = []
    var fetches = 0
  }

  private let ledger: ModelLedger
  private let name: String
  private let comparesRows: Bool
  private let lock = NSLock()
  private var current = State()

  /// - Parameter skipsDuplicates: Whether no value may equal the previous one.
  init(_ ledger: ModelLedger, name: String, skipsDuplicates: Bool) {
    self.ledger = ledger
    self.name = name
    comparesRows = skipsDuplicates
  }

  var state: State { lock.withLock { current } }

  func begin() { lock.withLock { current.hasBegun = true } }

  func noteFetch() { lock.withLock { current.fetches += 1 } }

  func takeVersions() -> [Int] {
    lock.withLock {
      defer { current.versions = [] }
      return current.versions
    }
  }

  /// - Parameters:
  ///   - asked: The last committed transaction when the element was requested.
  ///   - wasCancelled: Whether the task had been cancelled by then.
  /// - Returns: The number of elements received.
  func receive(
    _ element: Result<ModelValue, any Error>, asked: Int, wasCancelled: Bool
  ) -> Int {
    if wasCancelled { report("received an element after the task was cancelled") }
    return lock.withLock {
      if case .success(let value) = element { check(value, asked: asked) }
      current.count += 1
      current.last = element
      return current.count
    }
  }

  /// Checks a value on its own.
  private func check(_ value: ModelValue, asked: Int) {
    current.versions.append(value.version)
    if value.isPoisoned { report("received a value that was rolled back: \(value)") }
    if current.count == 0, value.version < asked {
      report("the first value is of \(value.version), but \(asked) was committed before")
    }
    guard case .success(let last) = current.last else { return }
    if value.version < last.version {
      report("received a value of \(value.version) after one of \(last.version)")
    }
    if comparesRows, value.rows == last.rows { report("a value equals the previous one") }
  }

  func end(_ failure: (any Error)? = nil) {
    lock.withLock {
      current.hasEnded = true
      current.failure = failure
    }
  }

  func report(_ problem: String) { ledger.report("\(name): \(problem)") }
}
