internal import Dispatch

/// Runs what takes long on a thread that is no task's.
func offload<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(with: Swift.Result { try body() })
    }
  }
}
