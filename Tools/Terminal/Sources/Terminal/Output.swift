import CTerminal
import Foundation

/// The standard output: written in large pieces, and in a terminal through the pager where it is longer than the screen.
///
/// A failure of writing is kept until ``check()``, since a text's stream can't throw.
public final class Output: TextOutputStream {
  private var buffer: [UInt8] = []
  private var failure: (any Error)?
  private var handle = FileHandle.standardOutput
  /// How many lines may come before the pager is started; `nil` where there is none, or it runs.
  private var bufferedLineLimit: Int?
  private var pagerInterrupt: Int?

  /// - Parameter isPaged: Whether a pager may be started, which is only done in terminals.
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
    // An interrupt is the pager's to deal with.
    pagerInterrupt = InterruptHandlers.shared.handle { true }
  }

  /// Writes what is there.
  public func flush() {
    guard failure == nil, !buffer.isEmpty else { return }
    do {
      try handle.write(contentsOf: buffer)
    } catch {
      failure = error
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// - Throws: ``BrokenPipe`` where nobody reads any more; what else writing failed with.
  public func check() throws {
    guard let failure else { return }
    throw Self.isBrokenPipe(failure) ? BrokenPipe() : failure
  }

  /// Writes what is left, and waits for the pager.
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

/// Whoever read the output has gone: no failure to speak of.
public struct BrokenPipe: Error {}
