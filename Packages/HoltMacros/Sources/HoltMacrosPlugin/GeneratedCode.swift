/// What the code that the macros write has in common.
enum GeneratedCode {
  /// The module by which generated code names Holt's types: they are safe from the user's own
  /// types, one of which is likely to be called `Router`.
  static let module = "HoltMacros"
}
