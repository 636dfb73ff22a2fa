internal import Primitives

/// Writes scalars with their designators.
extension Output {
  /// Writes the text before content: in a pair, its designator and `` =` ``.
  @inline(__always)
  mutating func begin(_ mark: TypeDesignator, isPair: Bool) {
    if isPair {
      buffer.append(mark.rawValue, Byte.equals, Byte.backtick)
    } else if mark == .string {
      buffer.append(Byte.backtick)
    }
  }

  /// Writes the text after content.
  @inline(__always)
  mutating func end(_ mark: TypeDesignator, isPair: Bool) {
    buffer.append(isPair || mark == .string ? Byte.backtick : mark.rawValue)
  }

  mutating func bool(_ value: Bool, isPair: Bool) {
    begin(.bool, isPair: isPair)
    append(value ? "true" : "false")
    end(.bool, isPair: isPair)
  }

  mutating func integer(_ value: Int64, isPair: Bool) {
    begin(.integer, isPair: isPair)
    if value < 0 { buffer.append(Byte.hyphen) }
    buffer.append(
      digitsOf: value.magnitude, then: isPair ? Byte.backtick : TypeDesignator.integer.rawValue)
  }

  mutating func unsigned(_ value: UInt64, isPair: Bool) {
    // Readers of version 1 support only integers that fit in an `Int64`.
    if value > UInt64(Int64.max) { requireVersion2("the integer \(value)") }
    begin(.integer, isPair: isPair)
    buffer.append(digitsOf: value, then: isPair ? Byte.backtick : TypeDesignator.integer.rawValue)
  }

  /// Writes a 128-bit integer, as a decimal number if it does not fit in 64 bits.
  mutating func wide(_ value: some FixedWidthInteger, isPair: Bool) {
    if let value = Int64(exactly: value) { return integer(value, isPair: isPair) }
    if let value = UInt64(exactly: value) { return unsigned(value, isPair: isPair) }
    decimal(SPONDecimal(value), isPair: isPair)
  }

  mutating func float(_ value: Float, isPair: Bool) {
    begin(.float, isPair: isPair)
    append(value.isNaN ? "nan" : value.description)
    end(.float, isPair: isPair)
  }

  mutating func double(_ value: Double, isPair: Bool) {
    begin(.double, isPair: isPair)
    content(value)
    end(.double, isPair: isPair)
  }

  private mutating func content(_ value: Double) {
    guard let number = DecimalDigits(value) else {
      return append(value.isNaN ? "nan" : value.description)
    }
    buffer.append(number)
  }

  mutating func decimal(_ value: SPONDecimal, isPair: Bool) {
    // In version 1, a decimal number is an untyped text.
    let mark = allowsVersion2 ? TypeDesignator.decimal : .opaque
    if allowsVersion2 { requireVersion2("a decimal number") }
    begin(mark, isPair: isPair)
    append(value.description)
    end(mark, isPair: isPair)
  }

  mutating func data(_ value: [UInt8], isPair: Bool) {
    begin(.data, isPair: isPair)
    var text: [UInt8] = []
    Base64.append(value.elementSpan, to: &text)
    buffer.append(text.elementSpan)
    end(.data, isPair: isPair)
  }

  mutating func instant(_ value: SPONInstant, isPair: Bool) {
    guard !allowsVersion2 else {
      requireVersion2("an instant")
      begin(.instant, isPair: isPair)
      var text: [UInt8] = []
      InstantText.append(value, to: &text)
      buffer.append(text.elementSpan)
      end(.instant, isPair: isPair)
      return
    }
    if value.attoseconds != 0 { requireVersion2("the fraction of a second in \(value)") }
    begin(.opaque, isPair: isPair)
    var text: [UInt8] = []
    InstantText.appendLegacy(value, to: &text)
    buffer.append(text.elementSpan)
    end(.opaque, isPair: isPair)
  }

  mutating func null(isPair: Bool) {
    if allowsVersion2 { requireVersion2("null") }
    let mark = allowsVersion2 ? TypeDesignator.null : .opaque
    begin(mark, isPair: isPair)
    if !allowsVersion2 { append("<null>") }
    end(mark, isPair: isPair)
  }

  mutating func string(_ value: String, isPair: Bool) {
    begin(.string, isPair: isPair)
    content(value)
    end(.string, isPair: isPair)
  }

  mutating func opaque(_ value: String, isPair: Bool) {
    let isQuoted = !isPair && !Self.canStandBare(value)
    if isQuoted {
      requireVersion2(
        "an untyped text in an array that has \",\", \"]\", \"@\" or a space at an end")
      buffer.append(Byte.backtick)
    } else {
      begin(.opaque, isPair: isPair)
    }
    if value == "<null>" {
      requireVersion2("the text <null> without a type")
      append("&u3c;null>")
    } else {
      content(value)
    }
    if isQuoted { buffer.append(Byte.backtick) }
    end(.opaque, isPair: isPair)
  }

  private static func canStandBare(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return true }
    return !first.isWhiteSpace && !last.isWhiteSpace && first != Byte.at
      && !text.utf8.contains { $0 == Byte.comma || $0 == Byte.closeBracket }
  }
}
