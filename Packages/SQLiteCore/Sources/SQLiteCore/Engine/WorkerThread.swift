internal import Dispatch
internal import Primitives

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A thread of our own, on which a connection's work may block as it must.
///
/// It is given one piece of work at a time: the connection that it belongs to is lent to one access at
/// a time. It ends when it is let go.
@safe final class WorkerThread: Sendable {
  /// A piece of work, which may name the next one for the same thread.
  class Work {
    func run() -> Work? { nil }
  }

  private let mailbox: Mailbox
  /// Where the work runs if no thread could be had.
  private let fallback: DispatchQueue?

  init(name: String) {
    let mailbox = Mailbox()
    self.mailbox = mailbox
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
      fallback = nil
    } else {
      unsafe Unmanaged<Start>.fromOpaque(context).release()
      fallback = DispatchQueue(label: name)
    }
  }

  deinit { mailbox.finish() }

  /// Has the thread run `work`. What it was given before must have begun.
  func post(_ work: Work) {
    mailbox.put(work)
    fallback?.async { [mailbox] in
      var next = mailbox.take()
      while let work = next { next = work.run() }
    }
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

/// Where a thread finds its next piece of work.
///
/// `@unchecked Sendable`: `state` says whose `work` is, the giver's while it is empty and the thread's
/// once it is full.
@safe private final class Mailbox: @unchecked Sendable {
  private enum State {
    static let empty: UInt8 = 0
    static let full: UInt8 = 1
    /// Empty, and the thread sleeps.
    static let asleep: UInt8 = 2
    static let finished: UInt8 = 3
  }

  private let state = Atomic<UInt8>(State.empty)
  private let arrived = DispatchSemaphore(value: 0)
  private var work: WorkerThread.Work?
  private let lookout = Lookout(.worker)

  func put(_ work: WorkerThread.Work) {
    self.work = work
    signal(State.full)
  }

  func finish() { signal(State.finished) }

  private func signal(_ new: UInt8) {
    if state.exchange(new, ordering: .acquiringAndReleasing) == State.asleep { arrived.signal() }
  }

  /// The work that is there.
  func take() -> WorkerThread.Work? {
    guard state.load(ordering: .acquiring) == State.full else { return nil }
    let taken = work
    work = nil
    // The thread may have been let go meanwhile, which stays.
    _ = state.compareExchange(
      expected: State.full, desired: State.empty, ordering: .acquiringAndReleasing)
    return taken
  }

  /// The next piece of work; `nil` when there will be none.
  func next() -> WorkerThread.Work? {
    // Looks out for work that follows at once: waking a thread takes longer than most accesses do.
    lookout.wait { state.load(ordering: .acquiring) != State.empty }
    while state.compareExchange(
      expected: State.empty, desired: State.asleep, ordering: .acquiringAndReleasing
    ).exchanged {
      arrived.wait()
    }
    return take()
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
  while let first = start.mailbox.next() {
    var next = first.run()
    while let work = next { next = work.run() }
  }
}
