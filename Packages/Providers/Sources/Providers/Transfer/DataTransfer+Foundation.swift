public import Foundation

extension DataTransfer {
  /// Copies tables, and reports each batch to a `Progress`, in rows. Cancelling the progress ends
  /// the copy after a batch.
  ///
  /// - Throws: The same errors as `copy(from:to:progress:)`; `CancellationError` if the progress
  ///   was cancelled.
  @discardableResult
  public func copy(
    from source: some DataProvider, to target: some DataProvider, reportingTo progress: Progress
  ) throws -> Report {
    try copy(from: source, to: target) { step in
      progress.totalUnitCount = Int64(step.totalRows)
      progress.completedUnitCount = Int64(step.completedRows)
      if progress.isCancelled { throw CancellationError() }
    }
  }
}
