public import SQLiteCore

extension RouteRecording.RecordedError: DataError {
  /// The kind of the original error was not recorded.
  public var kind: DataErrorKind { .other }
  public var message: String { description }
}
