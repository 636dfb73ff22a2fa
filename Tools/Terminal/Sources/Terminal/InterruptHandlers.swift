import CTerminal
import Dispatch
import Foundation
import Primitives

/// Ctrl-C, and the system's request to end.
///
/// Without anyone who looks for them they end the process as they always do. From the first ``handle(_:)`` on they run what was
/// asked for, and end it then.
public final class InterruptHandlers: Sendable {
  public static let shared = InterruptHandlers()

  private struct State {
    var handlers: [Int: @Sendable () -> Bool] = [:]
    var next = 0
    var sources: [any DispatchSourceSignal] = []
  }

  private let state = Mutex(State())

  /// Has `body` called as an interrupt comes.
  ///
  /// - Parameter body: Whether the process is to go on.
  /// - Returns: What ``remove(_:)`` takes.
  public func handle(_ body: @escaping @Sendable () -> Bool) -> Int {
    state.withLock { state in
      if state.sources.isEmpty {
        holt_ignore_interrupts()
        for number in [SIGINT, SIGTERM] {
          let source = DispatchSource.makeSignalSource(
            signal: number, queue: .global(qos: .userInitiated))
          source.setEventHandler { Self.shared.arrived(number) }
          source.resume()
          state.sources.append(source)
        }
      }
      state.next += 1
      state.handlers[state.next] = body
      return state.next
    }
  }

  public func remove(_ id: Int) { state.withLock { _ = $0.handlers.removeValue(forKey: id) } }

  /// Runs `body`, which an interrupt cancels, and comes to its end then as if it had ended by itself.
  ///
  /// - Throws: What `body` throws, but for the error of a task that was cancelled.
  public func cancelling(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    let interrupt = handle {
      task.cancel()
      return true
    }
    defer { remove(interrupt) }
    do {
      try await task.value
    } catch is CancellationError {}
  }

  private func arrived(_ number: Int32) {
    let handlers = state.withLock { Array($0.handlers.values) }
    let continuesRunning = handlers.map { $0() }.contains(true)
    if !continuesRunning { holt_exit_now(128 + number) }
  }
}
