/// Collects what the statements of a stretch of work read and write.
final class AccessRecorder {
  private(set) var access = StatementAccess()

  func add(_ other: StatementAccess) { access.formUnion(other) }
}
