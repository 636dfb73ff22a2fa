extension SPONValue {
  /// The value as text.
  ///
  /// ```swift
  /// let value = SPONValue.array([.integer(1), .string("two")])
  /// print(try value.text())  // @array[1!, `two`]
  /// ```
  ///
  /// - Parameters:
  ///   - formatting: On one line in the order of keys, unless it says otherwise.
  ///   - version: The version of SPON that is written.
  /// - Throws: ``SPONError`` of code ``SPONError/Code/tooDeep``, or
  ///   ``SPONError/Code/notRepresentable`` where `version` is `SPONValue.Version.one` and does not suffice.
  public func text(
    _ formatting: Formatting = [], version: Version = .automatic
  ) throws(SPONError) -> String {
    String(decoding: try bytes(formatting, version: version), as: UTF8.self)
  }

  /// The value as text in UTF-8.
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
  /// How a text is laid out.
  public struct Formatting: OptionSet, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// A line for each pair and element, with indentation. The original can't read it.
    public static let prettyPrinted = Formatting(rawValue: 1)
    /// The keys of each object in the order of their bytes in UTF-8. An encoder also writes the elements of a `Set`, and
    /// the pairs of a dictionary whose keys are no texts or integers, in the order of their texts.
    public static let sortedKeys = Formatting(rawValue: 2)
    /// The one form that equal values share: sorted keys, on one line.
    public static let canonical: Formatting = .sortedKeys
    /// In texts whose brackets are not balanced, `[` and `]` are escaped, which only version 2 can.
    ///
    /// The original counts brackets within texts too where it looks for the end of an array in an object, and loses
    /// what is around. It does not read the escapes as brackets, but loses nothing.
    public static let balancedBrackets = Formatting(rawValue: 4)
  }
}

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
