public import SQLiteCore

extension RouteRecording.RecordedError: DataError {
  /// The kind of the error that was recorded is not known.
  public var kind: DataErrorKind { .other }
  public var message: String { description }
}
