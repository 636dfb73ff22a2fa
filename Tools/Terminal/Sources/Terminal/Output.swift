import CTerminal
import Foundation

/// Buffered standard output. In a terminal, output that is longer than the screen is shown in the pager.
///
/// Write errors are stored until ``check()`` is called, since a `TextOutputStream` can't throw.
public final class Output: TextOutputStream {
  private var buffer: [UInt8] = []
  private var failure: (any Error)?
  private var handle = FileHandle.standardOutput
  /// The number of lines after which the pager starts; `nil` if the output is not paged or the pager
  /// is already running.
  private var bufferedLineLimit: Int?
  private var pagerInterrupt: Int?

  /// - Parameter isPaged: Whether to use a pager if the output is a terminal.
  public init(isPaged: Bool = false) {
    buffer.reserveCapacity(1 << 17)
    let pager = ProcessInfo.processInfo.environment["PAGER"]
    if isPaged, StandardStream.output.isTerminal, pager != "", pager != "cat" {
      bufferedLineLimit = StandardStream.output.rows - 1
    }
  }

  public func write(_ text: String) {
    buffer.append(contentsOf: text.utf8)
    added()
  }

  public func write(_ bytes: [UInt8]) {
    buffer.append(contentsOf: bytes)
    added()
  }

  private func added() {
    if let bufferedLineLimit {
      guard buffer.count > 4_096 || buffer.count(where: { $0 == 0x0A }) > bufferedLineLimit,
        buffer.count(where: { $0 == 0x0A }) > bufferedLineLimit || buffer.count > 1 << 20
      else { return }
      startPager()
    }
    if buffer.count >= 1 << 16 { flush() }
  }

  private func startPager() {
    bufferedLineLimit = nil
    let descriptor = holt_pager_open()
    guard descriptor >= 0 else { return }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    // The pager handles interrupts.
    pagerInterrupt = InterruptHandlers.shared.handle { true }
  }

  /// Writes the buffered bytes.
  public func flush() {
    guard failure == nil, !buffer.isEmpty else { return }
    do {
      try handle.write(contentsOf: buffer)
    } catch {
      failure = error
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Throws the stored write error, if any.
  ///
  /// - Throws: ``BrokenPipe`` if the reader has closed the pipe; otherwise the error of the write.
  public func check() throws {
    guard let failure else { return }
    throw Self.isBrokenPipe(failure) ? BrokenPipe() : failure
  }

  /// Writes the remaining bytes and waits for the pager.
  public func finish() throws {
    bufferedLineLimit = nil
    flush()
    holt_pager_close()
    if let pagerInterrupt { InterruptHandlers.shared.remove(pagerInterrupt) }
    try check()
  }

  private static func isBrokenPipe(_ error: any Error) -> Bool {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return error.code == Int(EPIPE) }
    let inner = error.userInfo[NSUnderlyingErrorKey] as? NSError
    return inner?.domain == NSPOSIXErrorDomain && inner?.code == Int(EPIPE)
  }
}

/// The reader of the output has closed the pipe, which is not reported as an error.
public struct BrokenPipe: Error {}
