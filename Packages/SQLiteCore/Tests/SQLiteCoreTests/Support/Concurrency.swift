import Dispatch
import Foundation

/// A value that several threads or tasks change.
///
/// `@unchecked Sendable`: `lock` guards `storage`.
final class Shared<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var storage: Value

  init(_ value: Value) { storage = value }

  var value: Value { lock.withLock { storage } }

  @discardableResult func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result
  {
    try lock.withLock { try body(&storage) }
  }
}

/// A gate that is opened once. Threads that wait are resumed, and later ones do not wait.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }

  /// Blocks the calling thread until the gate is open, and returns `false` after a timeout.
  @discardableResult func wait(seconds: Double = 600) -> Bool {
    guard semaphore.wait(timeout: .now() + seconds) == .success else { return false }
    semaphore.signal()
    return true
  }
}

/// Runs `body` concurrently on new threads, and waits for all without blocking the caller's thread.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for index in 0..<count {
      group.addTask {
        await withCheckedContinuation { continuation in
          Thread.detachNewThread {
            body(index)
            continuation.resume()
          }
        }
      }
    }
  }
}

/// Waits until `condition` is true, and returns `false` after a timeout.
func eventually(seconds: Double = 600, _ condition: @Sendable () -> Bool) async throws -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  while !condition() {
    if clock.now > end { return false }
    try await Task.sleep(for: .milliseconds(1))
  }
  return true
}

/// Returns the number of threads of this process; `nil` if the system does not report it.
func threadCount() -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return nil
  }
  let line = status.split(separator: "\n").first { $0.hasPrefix("Threads:") }
  return line.flatMap { Int($0.dropFirst(8).trimmingCharacters(in: .whitespaces)) }
}
