/// Collects what the statements of a stretch of work read and write.
final class AccessRecorder {
  private(set) var access = Statement.Access()

  func add(_ other: Statement.Access) { access.formUnion(other) }
}
