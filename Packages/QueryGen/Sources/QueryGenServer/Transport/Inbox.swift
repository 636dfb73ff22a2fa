internal import Dispatch
public import Foundation
public import LSPWire
internal import Primitives

/// The messages that have arrived on a stream, in order.
///
/// A thread reads the stream, so that a request can be cancelled while others are answered.
public final class Inbox: Sendable {
  /// An event on the stream.
  public enum Event: Sendable {
    case message(IncomingMessage)
    /// The stream has ended, or can't be split into messages.
    case end(MessageReader.Failure?)
  }

  private struct State {
    var events: [Event] = []
    /// The requests that were not answered.
    var pending: Set<RequestID> = []
    var cancelled: Set<RequestID> = []
  }

  private let state = Mutex(State())
  private let condition = DispatchSemaphore(value: 0)

  public init() {}

  /// Reads a stream until it ends, on a new thread.
  public func read(_ file: FileHandle) {
    let thread = Thread { [self] in
      var reader = MessageReader()
      while true {
        let bytes = file.availableData
        guard !bytes.isEmpty else { break }
        reader.append(bytes)
        do throws(MessageReader.Failure) {
          while let body = try reader.next() { add(IncomingMessage(body)) }
        } catch {
          add(.end(error))
          return
        }
      }
      add(.end(nil))
    }
    thread.start()
  }

  /// Ends the stream when a process has ended, which may keep the stream open.
  ///
  /// - Parameter seconds: The time between two checks.
  public func end(withProcess identifier: Int, checkingEvery seconds: Double = 2) {
    guard let identifier = Int32(exactly: identifier), identifier > 0 else { return }
    let thread = Thread { [self] in
      // Signal 0 is not sent. Another user's process exists, although the call fails.
      while kill(identifier, 0) == 0 || errno != ESRCH { Thread.sleep(forTimeInterval: seconds) }
      add(.end(nil))
    }
    thread.start()
  }

  /// Adds a message. A cancellation takes effect immediately.
  public func add(_ message: IncomingMessage) {
    if case .notification("$/cancelRequest", let body) = message {
      if let cancel = try? body.parameters(LSP.CancelParams.self) {
        state.withLock { state in
          // An answer may cross the cancellation.
          if state.pending.contains(cancel.id) { state.cancelled.insert(cancel.id) }
        }
      }
      return
    }
    if case .request(let id, _, _) = message { state.withLock { _ = $0.pending.insert(id) } }
    add(.message(message))
  }

  private func add(_ event: Event) {
    state.withLock { $0.events.append(event) }
    condition.signal()
  }

  /// Returns the next event. Waits for at most `seconds`, or without limit for `nil`.
  public func next(waiting seconds: Double?) -> Event? {
    let timeout: DispatchTime = seconds.map { .now() + $0 } ?? .distantFuture
    guard condition.wait(timeout: timeout) == .success else { return nil }
    return state.withLock { $0.events.isEmpty ? nil : $0.events.removeFirst() }
  }

  /// Returns whether a request was cancelled before it was answered.
  public func isCancelled(_ id: RequestID) -> Bool { state.withLock { $0.cancelled.contains(id) } }

  /// Records that a request was answered.
  public func forget(_ id: RequestID) {
    state.withLock { state in
      state.pending.remove(id)
      state.cancelled.remove(id)
    }
  }
}
