import Foundation
import SQLiteCore

@testable import Observe

/// What one observer was given, and what is wrong about it.
///
/// `@unchecked Sendable`: `lock` guards the rest.
final class ModelLog: @unchecked Sendable {
  struct State {
    var hasBegun = false
    var hasEnded = false
    /// What its iteration ended with.
    var failure: (any Error)?
    /// How many elements came.
    var count = 0
    var last: Result<ModelValue, any Error>?
    /// The versions since the last look.
    var versions: [Int] = []
    var fetches = 0
  }

  private let ledger: ModelLedger
  private let name: String
  private let comparesRows: Bool
  private let lock = NSLock()
  private var current = State()

  /// - Parameter skipsDuplicates: Whether no value may equal the one before.
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
  ///   - asked: The last transaction that was committed when the element was asked for.
  ///   - wasCancelled: Whether the task had been cancelled by then.
  /// - Returns: How many elements came.
  func receive(
    _ element: Result<ModelValue, any Error>, asked: Int, wasCancelled: Bool
  ) -> Int {
    if wasCancelled { report("an element came though the task was cancelled before it asked") }
    return lock.withLock {
      if case .success(let value) = element { check(value, asked: asked) }
      current.count += 1
      current.last = element
      return current.count
    }
  }

  /// What a value alone tells.
  private func check(_ value: ModelValue, asked: Int) {
    current.versions.append(value.version)
    if value.isPoisoned { report("a value is of what was rolled back: \(value)") }
    if current.count == 0, value.version < asked {
      report("the first value is of \(value.version), though \(asked) was committed before")
    }
    guard case .success(let last) = current.last else { return }
    if value.version < last.version {
      report("a value of \(value.version) came after one of \(last.version)")
    }
    if comparesRows, value.rows == last.rows { report("a value equals the one before") }
  }

  func end(_ failure: (any Error)? = nil) {
    lock.withLock {
      current.hasEnded = true
      current.failure = failure
    }
  }

  func report(_ problem: String) { ledger.report("\(name): \(problem)") }
}
