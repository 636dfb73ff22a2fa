extension SPONValue {
  /// The version of SPON that is written. What is read says its own.
  public enum Version: Hashable, Sendable {
    /// Version 1, which the original reads, where it can say the value, and else version 2.
    case automatic
    /// Version 1. What it can't say without loss is an error of code
    /// ``SPONError/Code/notRepresentable``.
    case one
    /// Version 2, said at the beginning of every document.
    case two
  }
}
