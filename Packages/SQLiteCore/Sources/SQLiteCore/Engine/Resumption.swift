/// What a suspended task waits for: whoever holds it gives it a value or an error, exactly once.
///
/// Nothing checks that it is once; see ``Access`` for why it is.
@safe struct Resumption<Value>: Sendable {
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

/// Suspends the task until what `body` is given is called.
func withResumption<Value>(_ body: (Resumption<Value>) -> Void) async throws -> sending Value {
  try unsafe await withUnsafeThrowingContinuation { unsafe body(Resumption($0)) }
}
