extension TableCollector {
  /// How the texts of a column were written whose type is not text, so that they can be written alike.
  ///
  /// All of them are written in one way. Texts of which some would change by that, `1.50` beside `2.5`, are no numbers:
  /// ``isUniform`` is `false`, and their column has the type text.
  public struct ColumnForm: Hashable, Sendable {
    /// How many digits all real numbers have behind the point; `nil` where they differ, or there are none. They then have as
    /// many as they need.
    public private(set) var fractionDigits: Int?
    /// How all of `true` and `false` were written.
    public private(set) var booleans: Booleans?
    /// Whether whole numbers, without a point, are among those with a fraction. All that are whole are written so.
    public private(set) var hasWholeNumbers = false
    /// Whether all texts so far are written again as they were.
    public private(set) var isUniform = true
    private var hasMixedFractions = false
    /// Whether a number has zeros at its end that it does not need: `1.50`.
    private var hasZeros = false
    /// Whether a number is whole and has a point: `2.0`.
    private var hasPointedNumbers = false

    /// The letters of `true` and `false`.
    public enum Booleans: Hashable, Sendable { case small, large, capitalized }

    public init() {}

    mutating func note(real digits: Span<UInt8>) {
      let last = digits.count - 1
      var count = 0
      while count <= last, digits[last - count] != 0x2E { count += 1 }
      if fractionDigits != count {
        if fractionDigits == nil, !hasMixedFractions {
          fractionDigits = count
        } else {
          fractionDigits = nil
          hasMixedFractions = true
        }
      }
      if digits[last] == 0x30 {
        if count > 1 { hasZeros = true }
        var zeros = 1
        while zeros < count, digits[last - zeros] == 0x30 { zeros += 1 }
        if zeros == count { hasPointedNumbers = true }
      }
      if hasMixedFractions && hasZeros || hasWholeNumbers && hasPointedNumbers { isUniform = false }
    }

    mutating func noteWholeNumber() {
      hasWholeNumbers = true
      if hasPointedNumbers { isUniform = false }
    }

    mutating func note(boolean text: Span<UInt8>) {
      let form: Booleans? =
        Self.isSpelled(text, 0x61..<0x7B, 0x61..<0x7B)
        ? .small
        : Self.isSpelled(text, 0x41..<0x5B, 0x61..<0x7B)
          ? .capitalized : Self.isSpelled(text, 0x41..<0x5B, 0x41..<0x5B) ? .large : nil
      if let form, booleans == nil || booleans == form {
        booleans = form
      } else {
        isUniform = false
      }
    }

    /// Whether the first letter, and all others, are of these.
    private static func isSpelled(
      _ text: Span<UInt8>, _ first: Range<UInt8>, _ others: Range<UInt8>
    ) -> Bool {
      for index in text.indices where !(index == 0 ? first : others).contains(text[index]) {
        return false
      }
      return true
    }
  }
}
