public import Foundation

extension DataTransfer {
  /// Copies, and tells a `Progress` of each batch, in rows. One that is cancelled ends it after a batch.
  ///
  /// - Throws: As `copy(from:to:progress:)`; `CancellationError` where the progress was
  ///   cancelled.
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
