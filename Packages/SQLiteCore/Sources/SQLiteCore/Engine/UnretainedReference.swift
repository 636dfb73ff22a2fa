/// A reference that does not retain its object, for use if reference counting would cost more than
/// the work.
///
/// The creator must keep the object alive while the reference is used.
@safe struct UnretainedReference<Object: AnyObject> {
  private let object: Unmanaged<Object>

  init(_ object: Object) { unsafe self.object = .passUnretained(object) }

  /// Runs `body` with the object.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe object._withUnsafeGuaranteedRef(body)
  }
}
