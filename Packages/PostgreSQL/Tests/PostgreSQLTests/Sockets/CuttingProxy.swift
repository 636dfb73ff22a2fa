import Foundation
import Primitives

/// Forwards connections to a server, and cuts them after a number of bytes.
///
/// A thread for each direction copies bytes one piece at a time.
final class CuttingProxy: Sendable {
  /// The bytes after which a connection is cut, in one direction.
  enum Cut: Sendable {
    case none
    case afterSending(Int)
    case afterReceiving(Int)
  }

  let port: Int
  private let listener: Int32
  private let target: Int
  private let cut = Mutex(Cut.none)
  private let open = Mutex<Set<Int32>>([])
  /// The numbers of bytes that the last connection has forwarded.
  private let forwarded = Mutex((sent: 0, received: 0))

  init(to target: Int) throws {
    self.target = target
    (listener, port) = try ListeningSocket.open()
    let thread = Thread { [listener, self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        self.forward(client)
      }
    }
    thread.start()
  }

  /// Stops accepting connections, and cuts the open ones.
  func close() {
    shutdown(listener, Int32(SHUT_RDWR))
    Foundation.close(listener)
    for descriptor in open.withLock({ $0 }) { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// Sets the cut of the connections from now on.
  func setCut(_ value: Cut) {
    cut.withLock { $0 = value }
    forwarded.withLock { $0 = (0, 0) }
  }

  var forwardedBytes: (sent: Int, received: Int) { forwarded.withLock { $0 } }

  private func forward(_ client: Int32) {
    guard let server = try? ListeningSocket.connect(port: target) else {
      Foundation.close(client)
      return
    }
    open.withLock { $0.formUnion([client, server]) }
    let (sendLimit, receiveLimit) =
      switch cut.withLock({ $0 }) {
      case .none: (Int.max, Int.max)
      case .afterSending(let count): (count, Int.max)
      case .afterReceiving(let count): (Int.max, count)
      }
    let running = Counter()
    for (from, to, limit, isSending) in [
      (client, server, sendLimit, true), (server, client, receiveLimit, false),
    ] {
      Thread {
        self.copy(from: from, to: to, limit: limit, isSending: isSending)
        // Either end of the connection ends both.
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        if running.increment() == 2 {
          self.open.withLock { $0.subtract([from, to]) }
          Foundation.close(from)
          Foundation.close(to)
        }
      }.start()
    }
  }

  private func copy(from: Int32, to: Int32, limit: Int, isSending: Bool) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    var rest = limit
    while rest > 0 {
      let count = unsafe read(from, &buffer, min(buffer.count, rest))
      guard count > 0 else { return }
      var offset = 0
      while offset < count {
        let written = unsafe buffer.withUnsafeBytes { bytes in
          unsafe send(
            to, bytes.baseAddress?.advanced(by: offset), count - offset, Int32(MSG_NOSIGNAL))
        }
        guard written > 0 else { return }
        offset += written
      }
      rest -= count
      forwarded.withLock { totals in
        if isSending { totals.sent += count } else { totals.received += count }
      }
    }
  }
}
