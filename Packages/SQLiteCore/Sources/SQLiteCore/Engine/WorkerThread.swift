internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A thread of our own, on which a connection's work may block as it must.
///
/// It runs what it is given in order and ends when ``finish()`` is called or it is let go.
@safe final class WorkerThread: Sendable {
  typealias Work = @Sendable () -> Void

  private let mailbox = Mailbox()

  init(name: String) {
    let mailbox = self.mailbox
    // The thread owns its mailbox alone, so that letting the worker go ends the thread.
    let context = unsafe Unmanaged.passRetained(Start(mailbox: mailbox, name: name)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let failure = unsafe pthread_create(&thread, nil, threadMain, context)
    if failure == 0 {
      #if canImport(Darwin)
        if let thread = unsafe thread { unsafe pthread_detach(thread) }
      #else
        pthread_detach(thread)
      #endif
    } else {
      // No thread could be had: the work runs on a queue's thread instead, one piece at a time.
      unsafe Unmanaged<Start>.fromOpaque(context).release()
      mailbox.useFallback(named: name)
    }
  }

  deinit { mailbox.finish() }

  func run(_ work: @escaping Work) { mailbox.add(work) }

  /// The thread that now runs: compared, never used as a thread.
  static var currentID: UInt {
    #if canImport(Darwin)
      unsafe UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}

/// What a thread is born with.
private final class Start {
  let mailbox: Mailbox
  let name: String

  init(mailbox: Mailbox, name: String) {
    self.mailbox = mailbox
    self.name = name
  }
}

/// Work that waits for its thread.
private final class Mailbox: Sendable {
  private struct State {
    var work: [WorkerThread.Work] = []
    var isFinished = false
    var fallback: DispatchQueue?
  }

  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)

  func add(_ work: @escaping WorkerThread.Work) {
    let fallback = state.withLock { state in
      if state.fallback == nil { state.work.append(work) }
      return state.fallback
    }
    if let fallback { fallback.async(execute: work) } else { arrived.signal() }
  }

  func finish() {
    state.withLock { $0.isFinished = true }
    arrived.signal()
  }

  func useFallback(named name: String) {
    state.withLock { $0.fallback = DispatchQueue(label: name) }
  }

  /// The next piece of work; `nil` when there will be none.
  func next() -> WorkerThread.Work? {
    while true {
      arrived.wait()
      let (work, isFinished) = state.withLock { state in
        (state.work.isEmpty ? nil : state.work.removeFirst(), state.isFinished)
      }
      if let work { return work }
      if isFinished { return nil }
    }
  }
}

#if canImport(Darwin)
  private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe work(Unmanaged<Start>.fromOpaque(context).takeRetainedValue())
    return nil
  }
#else
  private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe work(Unmanaged<Start>.fromOpaque(context).takeRetainedValue())
    return nil
  }
#endif

private func work(_ start: Start) {
  #if canImport(Darwin)
    unsafe pthread_setname_np(start.name)
  #endif
  while let next = start.mailbox.next() { next() }
}
