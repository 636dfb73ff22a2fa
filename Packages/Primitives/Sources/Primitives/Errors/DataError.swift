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
  /// The kind of failure.
  var kind: DataErrorKind { get }
  /// A description of the failure, for developers and logs.
  var message: String { get }
  /// The place of the failure, as far as it is known.
  var place: DataErrorPlace { get }
  /// The error that led to this one; `nil`, as by default, where there is none.
  var underlying: (any Error)? { get }
}

extension DataError {
  public var place: DataErrorPlace { DataErrorPlace() }
  public var underlying: (any Error)? { nil }
}
