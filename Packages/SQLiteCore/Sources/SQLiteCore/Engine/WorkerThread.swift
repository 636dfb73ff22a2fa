internal import Dispatch
internal import Primitives

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A dedicated thread, on which a connection's work may block.
///
/// It receives one work item at a time, because its connection is lent to one access at a time. The
/// thread ends when this object is released.
@safe final class WorkerThread: Sendable {
  /// A work item, which may return the next one for the same thread.
  class Work {
    func run() -> Work? { nil }
  }

  private let mailbox: Mailbox
  /// The queue that runs the work if no thread could be created.
  private let fallback: DispatchQueue?

  init(name: String) {
    let mailbox = Mailbox(threadName: name)
    self.mailbox = mailbox
    // The thread retains only its mailbox, so that releasing the worker ends the thread.
    let context = unsafe Unmanaged.passRetained(mailbox).toOpaque()
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
      fallback = nil
    } else {
      unsafe Unmanaged<Mailbox>.fromOpaque(context).release()
      fallback = DispatchQueue(label: name)
    }
  }

  deinit { mailbox.finish() }

  /// Runs `work` on the thread. Earlier work must have begun.
  func post(_ work: Work) {
    mailbox.send(work)
    fallback?.async { [mailbox] in
      var next = mailbox.receive()
      while let work = next { next = work.run() }
    }
  }
}

/// Transfers work items to the thread.
///
/// `@unchecked Sendable`: `state` determines the owner of `work`, which is the sender while the
/// mailbox is empty and the thread while it is full.
@safe private final class Mailbox: @unchecked Sendable {
  private enum State {
    static let empty: UInt8 = 0
    static let full: UInt8 = 1
    /// The mailbox is empty and the thread sleeps.
    static let asleep: UInt8 = 2
    static let finished: UInt8 = 3
  }

  private let state = Atomic<UInt8>(State.empty)
  private let arrived = DispatchSemaphore(value: 0)
  private var work: WorkerThread.Work?
  private let spinWait = SpinWait(.worker)
  let threadName: String

  init(threadName: String) { self.threadName = threadName }

  func send(_ work: WorkerThread.Work) {
    self.work = work
    signal(State.full)
  }

  func finish() { signal(State.finished) }

  private func signal(_ new: UInt8) {
    if state.exchange(new, ordering: .acquiringAndReleasing) == State.asleep { arrived.signal() }
  }

  /// Returns the current work item, if any.
  func receive() -> WorkerThread.Work? {
    guard state.load(ordering: .acquiring) == State.full else { return nil }
    let received = work
    work = nil
    // If the mailbox has been finished concurrently, it stays finished.
    _ = state.compareExchange(
      expected: State.full, desired: State.empty, ordering: .acquiringAndReleasing)
    return received
  }

  /// Waits for the next work item. Returns `nil` when the mailbox is finished.
  func next() -> WorkerThread.Work? {
    // Spins for work that follows immediately, because waking a thread takes longer than most
    // accesses do.
    spinWait.wait { state.load(ordering: .acquiring) != State.empty }
    while state.compareExchange(
      expected: State.empty, desired: State.asleep, ordering: .acquiringAndReleasing
    ).exchanged {
      arrived.wait()
    }
    return receive()
  }
}

#if canImport(Darwin)
  private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe work(Unmanaged<Mailbox>.fromOpaque(context).takeRetainedValue())
    return nil
  }
#else
  private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    unsafe work(Unmanaged<Mailbox>.fromOpaque(context).takeRetainedValue())
    return nil
  }
#endif

private func work(_ mailbox: Mailbox) {
  #if canImport(Darwin)
    unsafe pthread_setname_np(mailbox.threadName)
  #endif
  while let first = mailbox.next() {
    var next = first.run()
    while let work = next { next = work.run() }
  }
}
