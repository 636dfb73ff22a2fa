import Foundation

/// Counts runs on any thread.
///
/// `@unchecked Sendable`: `lock` guards `number`.
final class Runs: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  func count() { lock.withLock { number += 1 } }
  var value: Int { lock.withLock { number } }
}
