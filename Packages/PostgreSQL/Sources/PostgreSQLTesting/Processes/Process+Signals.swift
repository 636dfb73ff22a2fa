import Foundation

extension Process {
  /// Starts the process without blocked signals, which it would inherit from a thread of the dispatch library: a shell
  /// could not wait for its children.
  func runWithoutBlockedSignals() throws {
    var none = sigset_t()
    var previous = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &previous)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
    try run()
  }
}
