/// The binary format of `numeric`: base-10,000 digits with a weight, a sign and a scale.
enum NumericFormat {
  private static let negative: UInt16 = 0x4000
  private static let notANumber: UInt16 = 0xC000
  private static let infinity: UInt16 = 0xD000
  private static let negativeInfinity: UInt16 = 0xF000

  /// Returns the number as digits with an optional minus sign and an optional fraction, with its scale; or as `NaN`,
  /// `Infinity` or `-Infinity`. Returns `nil` for invalid bytes.
  static func text(_ bytes: Span<UInt8>) -> String? {
    guard let count = bytes.integer(UInt16.self, at: 0),
      let weight = bytes.integer(Int16.self, at: 2),
      let sign = bytes.integer(UInt16.self, at: 4), let scale = bytes.integer(UInt16.self, at: 6),
      bytes.count == 8 + 2 * Int(count)
    else { return nil }
    switch sign {
    case 0, negative: break
    case notANumber: return "NaN"
    case infinity: return "Infinity"
    case negativeInfinity: return "-Infinity"
    default: return nil
    }
    func group(_ index: Int) -> UInt16 {
      index >= 0 && index < Int(count) ? bytes.integer(at: 8 + 2 * index) ?? 0 : 0
    }
    var digits: [UInt8] = []
    if sign == negative { digits.append(UInt8(ascii: "-")) }
    func append(_ group: UInt16, count: Int) {
      var divisor: UInt16 = 1_000
      for _ in 0..<count {
        digits.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: group / divisor % 10))
        divisor /= 10
      }
    }
    if weight < 0 {
      digits.append(UInt8(ascii: "0"))
    } else {
      digits += String(group(0)).utf8
      for index in 1..<max(Int(weight) + 1, 1) { append(group(index), count: 4) }
    }
    if scale > 0 {
      digits.append(UInt8(ascii: "."))
      var (index, rest) = (Int(weight) + 1, Int(scale))
      while rest > 0 {
        append(group(index), count: min(rest, 4))
        index += 1
        rest -= 4
      }
    }
    for index in 0..<Int(count) where group(index) > 9_999 { return nil }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Returns the number as an integer, or `nil` if it is not one of 64 bits.
  static func integer(_ bytes: Span<UInt8>) -> Int64? {
    guard let text = text(bytes) else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 2, parts[1].contains(where: { $0 != "0" }) { return nil }
    return parts.first.flatMap { Int64($0) }
  }

  /// Appends a number.
  ///
  /// - Parameters:
  ///   - text: Digits with an optional sign, fraction and exponent; `NaN`, `Infinity` or `-Infinity`.
  ///   - output: The bytes to append to.
  /// - Returns: Whether the text is a number that PostgreSQL can represent.
  static func append(_ text: String, to output: inout [UInt8]) -> Bool {
    switch text.lowercased() {
    case "nan": return appendSpecial(notANumber, to: &output)
    case "infinity", "inf": return appendSpecial(infinity, to: &output)
    case "-infinity", "-inf": return appendSpecial(negativeInfinity, to: &output)
    default: break
    }
    guard let number = Parsed(text) else { return false }
    // The position of the decimal point is a multiple of four digits.
    var digits = number.digits
    let point = digits.count - number.scale
    let lead = (4 - ((point % 4) + 4) % 4) % 4
    digits.insert(contentsOf: repeatElement(0, count: lead), at: 0)
    digits += repeatElement(0, count: (4 - digits.count % 4) % 4)
    var groups: [UInt16] = []
    for start in stride(from: 0, to: digits.count, by: 4) {
      groups.append(digits[start..<start + 4].reduce(0) { $0 * 10 + UInt16($1) })
    }
    var weight = (point + lead) / 4 - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    if groups.isEmpty { weight = 0 }
    let scale = max(number.scale, 0)
    guard scale <= 16_383, weight <= 32_767, weight >= -32_768, groups.count <= 32_767 else {
      return false
    }
    output.append(bigEndian: UInt16(groups.count))
    output.append(bigEndian: Int16(weight))
    output.append(bigEndian: number.isNegative && !groups.isEmpty ? negative : 0)
    output.append(bigEndian: UInt16(scale))
    for group in groups { output.append(bigEndian: group) }
    return true
  }

  private static func appendSpecial(_ sign: UInt16, to output: inout [UInt8]) -> Bool {
    for part in [0, 0, sign, 0] { output.append(bigEndian: part) }
    return true
  }

  /// The digits of a text, with the number of them after the decimal point, which is negative for large exponents.
  private struct Parsed {
    var isNegative = false
    var digits: [UInt8] = []
    var scale = 0

    init?(_ text: String) {
      var bytes = text.utf8[...]
      if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        isNegative = first == UInt8(ascii: "-")
        bytes.removeFirst()
      }
      var hasPoint = false
      while let byte = bytes.first {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
          digits.append(byte - UInt8(ascii: "0"))
          if hasPoint { scale += 1 }
        case UInt8(ascii: ".") where !hasPoint && !digits.isEmpty: hasPoint = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
          guard !digits.isEmpty, let exponent = Int(Substring(bytes.dropFirst())),
            exponent.magnitude < 100_000
          else { return nil }
          scale -= exponent
          bytes = bytes[bytes.endIndex...]
          continue
        default: return nil
        }
        bytes.removeFirst()
      }
      guard !digits.isEmpty, digits.count < 200_000 else { return nil }
      // A positive exponent beyond the digits adds zeros, so that the integer has them.
      if scale < 0 {
        digits += repeatElement(0, count: -scale)
        scale = 0
      }
    }
  }
}
