/// The continuation of a suspended task, which must be resumed exactly once, with a value or an
/// error.
///
/// This is not checked; ``Access`` guarantees it.
@safe struct ThrowingContinuation<Value>: Sendable {
  private let continuation: UnsafeContinuation<Value, any Error>

  fileprivate init(_ continuation: UnsafeContinuation<Value, any Error>) {
    unsafe self.continuation = continuation
  }

  func callAsFunction(_ result: consuming sending Result<Value, any Error>) {
    switch consume result {
    case .success(let value): unsafe continuation.resume(returning: value)
    case .failure(let error): unsafe continuation.resume(throwing: error)
    }
  }
}

/// Suspends the task until the continuation that `body` receives is called.
func withContinuation<Value>(_ body: (ThrowingContinuation<Value>) -> Void) async throws
  -> sending Value
{
  try unsafe await withUnsafeThrowingContinuation { unsafe body(ThrowingContinuation($0)) }
}

extension Task where Success == Never, Failure == Never {
  /// An identifier of the current task, or `nil` outside a task.
  static var currentID: Int? { unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue } }
}
