/// Definitions shared by the code generators.
enum GeneratedCode {
  /// The module that qualifies Holt's types in generated code, so that they don't conflict with the
  /// user's own types, such as one named `Router`.
  static let module = "HoltMacros"
}
