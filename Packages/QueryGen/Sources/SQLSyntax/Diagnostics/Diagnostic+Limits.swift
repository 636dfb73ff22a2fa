extension Diagnostic.Identity {
  /// So many errors that the rest are not shown.
  public static let tooManyErrors = Self(rawValue: "too-many-errors")
}

extension Diagnostic {
  /// The last diagnostic of a full list.
  static func tooManyErrors(at span: ByteSpan) -> Diagnostic {
    Diagnostic(.tooManyErrors, at: span, "there are too many errors; the rest are not shown")
  }
}
