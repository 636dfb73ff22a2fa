extension TableCollector {
  /// The notation of most numbers and Booleans in a column, used to write values in the same
  /// notation.
  ///
  /// The form of a column is determined as its values are read, so that it reproduces as many of
  /// the first texts as possible. The spelling of any other text is stored with its row.
  public struct ColumnForm: Hashable, Sendable {
    /// The minimum number of decimal places of real numbers.
    public var fractionDigits: Int {
      switch places {
      case .undecided: 1
      case .same(let count, _), .atLeast(let count): count
      }
    }
    /// The capitalization of `true` and `false`.
    public private(set) var booleans: Booleans?
    /// A Boolean value that indicates whether integers among numbers with a fraction are written
    /// without a decimal point.
    public var hasWholeNumbers: Bool { wholeNumbers == .integer }

    private var places = Places.undecided
    private var wholeNumbers = WholeNumbers.undecided

    /// The capitalization of `true` and `false`.
    public enum Booleans: Hashable, Sendable { case lowercase, uppercase, capitalized }

    private enum Places: Hashable {
      case undecided
      /// All numbers have the same number of decimal places; `true` if some end with a zero.
      case same(Int, Bool)
      /// Numbers have at least this number of decimal places, and more only if necessary.
      case atLeast(Int)
    }

    private enum WholeNumbers: Hashable {
      case undecided
      /// `2`
      case integer
      /// `2.0`
      case pointed
    }

    public init() {}

    /// Records a real number.
    ///
    /// - Returns: Whether the form reproduces the text.
    mutating func record(real digits: Span<UInt8>) -> Bool {
      let last = digits.count - 1
      var count = 0
      while count <= last, digits[last - count] &- 0x30 < 10 { count += 1 }
      let first = digits[0] == 0x2D ? 1 : 0
      let whole = last - count - first
      guard count > 0, whole > 0, digits[last - count] == 0x2E, digits[first] &- 0x30 < 10,
        whole == 1 || digits[first] != 0x30
      else { return false }
      var zeros = 0
      while zeros < count, digits[last - zeros] == 0x30 { zeros += 1 }
      if zeros == count, !recordWholeNumber(as: .pointed) { return false }
      let endsWithZero = zeros > 0 && count > 1
      switch places {
      case .undecided:
        places = .same(count, endsWithZero)
        return true
      case .same(let known, let hasZeros):
        if known == count {
          places = .same(count, hasZeros || endsWithZero)
        } else if hasZeros {
          places = .atLeast(known)
        } else {
          places = .atLeast(endsWithZero && count < known ? count : 1)
        }
      case .atLeast: break
      }
      return endsWithZero ? count == fractionDigits : count >= fractionDigits
    }

    /// Records an integer, given as digits.
    ///
    /// - Returns: Whether the form reproduces the text.
    @inline(__always)
    mutating func recordWholeNumber() -> Bool { recordWholeNumber(as: .integer) }

    @inline(__always)
    private mutating func recordWholeNumber(as form: WholeNumbers) -> Bool {
      if wholeNumbers == form { return true }
      guard wholeNumbers == .undecided else { return false }
      wholeNumbers = form
      return true
    }

    /// Records a number in JSON, which is written as `Double.description`: only the notation of whole
    /// numbers differs.
    mutating func record(_ value: Double, json digits: Span<UInt8>) {
      guard wholeNumbers == .undecided, value.isWhole,
        value.description.utf8.elementsEqual(digits.array(0..<digits.count))
      else { return }
      _ = recordWholeNumber(as: .pointed)
    }

    /// - Returns: Whether the form reproduces the text.
    mutating func record(boolean text: Span<UInt8>) -> Bool {
      let form: Booleans? =
        Self.isSpelled(text, 0x61..<0x7B, 0x61..<0x7B)
        ? .lowercase
        : Self.isSpelled(text, 0x41..<0x5B, 0x61..<0x7B)
          ? .capitalized : Self.isSpelled(text, 0x41..<0x5B, 0x41..<0x5B) ? .uppercase : nil
      guard let form, booleans == nil || booleans == form else { return false }
      booleans = form
      return true
    }

    /// Returns whether the first byte and all other bytes are in the given ranges.
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

// Formatting of numbers and Booleans.
extension TableCollector.ColumnForm {
  /// Formats a Boolean; in lowercase if the file contained none.
  func text(of value: Bool) -> String {
    switch booleans {
    case .uppercase: value ? "TRUE" : "FALSE"
    case .capitalized: value ? "True" : "False"
    case .lowercase, nil: value ? "true" : "false"
    }
  }

  /// Formats a finite number with all digits and without an exponent. ``TableCollector/TextKind``
  /// parses the text as the same number.
  ///
  /// The text has at least the number of decimal places of the other numbers. An integer has no
  /// decimal point if integers in the file had none.
  func text(of value: Double) -> String {
    let count = fractionDigits
    let text = value.description
    if let digits = Self.fractionDigits(of: text) {
      return digits < count ? text + String(repeating: "0", count: count - digits) : text
    }
    let (whole, fraction) = Self.digits(of: value)
    if fraction.isEmpty, hasWholeNumbers, let integer = Int64(exactly: value),
      value != 0 || value.sign == .plus
    {
      return integer.description
    }
    let zeros = String(repeating: "0", count: Swift.max(0, count - fraction.utf8.count))
    return "\(whole).\(fraction)\(zeros)"
  }

  /// Returns the number of decimal places; `nil` if there is an exponent, or the number is an
  /// integer.
  private static func fractionDigits(of text: String) -> Int? {
    var count: Int?
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == 0x65 { return nil }
      if byte == 0x2E { count = 0 } else { count = count.map { $0 + 1 } }
      last = byte
    }
    return count == 1 && last == 0x30 ? nil : count
  }

  /// Returns the digits before and after the decimal point of a finite number, with its sign.
  static func digits(of value: Double) -> (whole: String, fraction: String) {
    let text = value.magnitude.description
    let sign = value.sign == .minus ? "-" : ""
    let parts = text.split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var whole = String(mantissa[0])
    var fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    if exponent > 0 {
      let moved = fraction.prefix(exponent)
      whole += moved + String(repeating: "0", count: exponent - moved.utf8.count)
      fraction = String(fraction.dropFirst(exponent))
    } else if exponent < 0 {
      fraction = String(repeating: "0", count: -exponent - 1) + whole + fraction
      whole = "0"
    }
    return (sign + whole, fraction)
  }
}
