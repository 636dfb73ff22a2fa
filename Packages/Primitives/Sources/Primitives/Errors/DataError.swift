/// An error of reading, writing or converting data, whichever package, engine or format reports it.
///
/// Handle an error by its ``kind``, and the code stays the same when the engine changes.
///
/// ```swift
/// do {
///   try save()
/// } catch let error as any DataError where error.kind == .uniqueViolation {
///   print("taken: \(error.place.columns)")  // taken: ["email"]
/// }
/// ```
///
/// The concrete types tell more, by codes of their own. `CancellationError`, and what a user's own
/// functions throw, are passed on as they are: they don't conform.
public protocol DataError: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  var kind: DataErrorKind { get }
  /// What went wrong, in a sentence for a developer or a log.
  var message: String { get }
  /// Where it went wrong, as far as that is known.
  var place: DataErrorPlace { get }
  /// The error that led to this one; `nil`, as by default, where there is none.
  var underlying: (any Error)? { get }
}

extension DataError {
  public var place: DataErrorPlace { DataErrorPlace() }
  public var underlying: (any Error)? { nil }
}
