extension SPONValue {
  /// Returns the value as SPON text.
  ///
  /// ```swift
  /// let value = SPONValue.array([.integer(1), .string("two")])
  /// print(try value.text())  // @array[1!, `two`]
  /// ```
  ///
  /// - Parameters:
  ///   - formatting: The layout; by default, one line with the keys in their own order.
  ///   - version: The version of SPON to write.
  /// - Throws: ``SPONError`` with code ``SPONError/Code/tooDeep``, or
  ///   ``SPONError/Code/notRepresentable`` if `version` is `SPONValue.Version.one` and does not
  ///   support the value.
  public func text(
    _ formatting: Formatting = [], version: Version = .automatic
  ) throws(SPONError) -> String {
    String(decoding: try bytes(formatting, version: version), as: UTF8.self)
  }

  /// Returns the value as SPON text in UTF-8.
  ///
  /// - Throws: ``SPONError``, as ``text(_:version:)`` does.
  public func bytes(
    _ formatting: Formatting = [], version: Version = .automatic
  ) throws(SPONError) -> [UInt8] {
    try ValueWriter.bytes(
      of: self, isPretty: formatting.contains(.prettyPrinted),
      isSorted: formatting.contains(.sortedKeys),
      balancesBrackets: formatting.contains(.balancedBrackets), version: version,
      depthLimit: Limits().depth)
  }
}

extension SPONValue {
  /// The layout of a text.
  public struct Formatting: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// One line for each pair and element, with indentation. The original implementation can't read
    /// it.
    public static let prettyPrinted = Formatting(rawValue: 1)
    /// The keys of each object sorted by their UTF-8 bytes. An encoder also sorts the elements of a
    /// `Set`, and the pairs of a dictionary whose keys are not strings or integers, by their
    /// encoded text.
    public static let sortedKeys = Formatting(rawValue: 2)
    /// The form that all equal values share: sorted keys, on one line.
    public static let canonical: Formatting = .sortedKeys
    /// Escapes `[` and `]` in strings with unbalanced brackets, which requires version 2.
    ///
    /// To find the end of an array in an object, the original implementation also counts brackets
    /// in strings, and loses the values around a string with unbalanced ones. It does not interpret
    /// the escapes, but loses no values.
    public static let balancedBrackets = Formatting(rawValue: 4)
  }
}

extension SPONValue {
  /// The version of SPON to write. Documents that are read specify their version.
  public enum Version: Hashable, Sendable {
    /// Version 1, which the original implementation reads, if it supports the value; otherwise
    /// version 2.
    case automatic
    /// Version 1. A value that it does not support is an error with code
    /// ``SPONError/Code/notRepresentable``.
    case one
    /// Version 2, which is specified at the beginning of every document.
    case two
  }
}
