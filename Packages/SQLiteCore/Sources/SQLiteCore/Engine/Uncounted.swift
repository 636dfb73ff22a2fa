/// A reference to an object that is not counted: where counting costs more than what is done with the object.
///
/// Who makes one keeps the object for as long as it is used.
@safe struct Uncounted<Object: AnyObject> {
  private let object: Unmanaged<Object>

  init(_ object: Object) { unsafe self.object = .passUnretained(object) }

  /// Runs `body` with the object.
  @inline(__always)
  func withObject<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe object._withUnsafeGuaranteedRef(body)
  }
}
