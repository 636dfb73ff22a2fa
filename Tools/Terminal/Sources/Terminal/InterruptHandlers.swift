import CTerminal
import Dispatch
import Foundation
import Primitives

/// Handlers for interrupts (Ctrl-C), termination requests and the end of the terminal.
///
/// By default, these signals end the process immediately. After the first call of ``handle(_:)``, they
/// call the registered handlers first.
public final class InterruptHandlers: Sendable {
  public static let shared = InterruptHandlers()

  private struct State {
    var handlers: [Int: @Sendable () -> Bool] = [:]
    var next = 0
    var sources: [any DispatchSourceSignal] = []
  }

  private let state = Mutex(State())

  /// Registers a handler.
  ///
  /// - Parameter body: Called when a signal arrives. Returns whether the process should continue.
  /// - Returns: The handler's identifier for ``remove(_:)``.
  public func handle(_ body: @escaping @Sendable () -> Bool) -> Int {
    state.withLock { state in
      if state.sources.isEmpty {
        let handlesHangUp = holt_ignore_interrupts() != 0
        for number in [SIGINT, SIGTERM] + (handlesHangUp ? [SIGHUP] : []) {
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

  /// Runs `body` and cancels it when a signal arrives. Cancellation counts as success.
  ///
  /// - Throws: Any error thrown by `body`, except `CancellationError`.
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
