internal import Primitives

/// Decodes scalars as the requested types. A conversion that would lose information throws an
/// error.
extension DecodingSession {
  func bool(at index: Int) throws -> Bool {
    let entry = entries[index]
    switch entry.kind {
    case .bool: return entry.bits != 0
    case .integer where entry.bits <= 1: return entry.bits == 1
    case .opaque:
      switch tape.text(entry) {
      case "true": return true
      case "false": return false
      default: throw mismatch(index, Bool.self)
      }
    default: throw mismatch(index, Bool.self)
    }
  }

  func string(at index: Int) throws -> String {
    let entry = entries[index]
    guard entry.kind == .string || entry.kind == .opaque else {
      throw mismatch(index, String.self)
    }
    return tape.text(entry)
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    at index: Int, _ type: Integer.Type
  ) throws -> Integer {
    let entry = entries[index]
    guard entry.kind == .integer, let value = Integer(exactly: Int64(bitPattern: entry.bits)) else {
      return try otherInteger(at: index, type)
    }
    return value
  }

  /// Decodes an integer from other kinds of number, or reports that it does not fit.
  private func otherInteger<Integer: FixedWidthInteger>(
    at index: Int, _ type: Integer.Type
  ) throws -> Integer {
    let entry = entries[index]
    let value: Integer?
    switch entry.kind {
    case .integer: value = nil
    case .unsigned: value = Integer(exactly: entry.bits)
    case .double: value = Integer(exactly: Double(bitPattern: entry.bits))
    case .float:
      value = Integer(exactly: Float(bitPattern: UInt32(truncatingIfNeeded: entry.bits)))
    case .decimal: value = self.decimal(of: entry).integer()
    case .opaque:
      guard let decimal = SPONDecimal(tape.text(entry)) else { throw mismatch(index, type) }
      value = decimal.integer()
    default: throw mismatch(index, type)
    }
    guard let value else { throw loss(index, type) }
    return value
  }

  func double(at index: Int) throws -> Double {
    let entry = entries[index]
    if entry.kind == .double { return Double(bitPattern: entry.bits) }
    let value: Double?
    switch entry.kind {
    case .integer: value = Double(exactly: Int64(bitPattern: entry.bits))
    case .unsigned: value = Double(exactly: entry.bits)
    case .float, .decimal, .opaque: value = Double(exactText: tape.text(entry))
    default: throw mismatch(index, Double.self)
    }
    guard let value else { throw loss(index, Double.self) }
    return value
  }

  func float(at index: Int) throws -> Float {
    let entry = entries[index]
    if entry.kind == .float {
      return Float(bitPattern: UInt32(truncatingIfNeeded: entry.bits))
    }
    let value: Float?
    switch entry.kind {
    case .integer: value = Float(exactly: Int64(bitPattern: entry.bits))
    case .unsigned: value = Float(exactly: entry.bits)
    case .double, .decimal, .opaque: value = Float(exactText: tape.text(entry))
    default: throw mismatch(index, Float.self)
    }
    guard let value else { throw loss(index, Float.self) }
    return value
  }

  /// Decodes a number exactly as it is written.
  func decimal(at index: Int, as type: Any.Type) throws -> SPONDecimal {
    let entry = entries[index]
    switch entry.kind {
    case .decimal, .integer, .unsigned: return decimal(of: entry)
    case .double, .float, .opaque:
      guard let decimal = SPONDecimal(tape.text(entry)) else { throw mismatch(index, type) }
      return decimal
    default: throw mismatch(index, type)
    }
  }

  private func decimal(of entry: Tape.Entry) -> SPONDecimal {
    let bytes = tape.bytes
    return SPONDecimal(checked: bytes.elementSpan, entry.content)
  }

  func data(at index: Int, as type: Any.Type) throws -> [UInt8] {
    let entry = entries[index]
    guard entry.kind == .data else { throw mismatch(index, type) }
    let bytes = tape.bytes
    // The scanner has checked the content.
    return (try? Base64.decoded(bytes.elementSpan.extracting(entry.content))) ?? []
  }

  /// Decodes an instant, or a text that represents one.
  func instant(at index: Int, as type: Any.Type) throws -> SPONInstant {
    let entry = entries[index]
    switch entry.kind {
    case .instant, .opaque, .string:
      guard let instant = SPONInstant(tape.text(entry)) else { throw mismatch(index, type) }
      return instant
    default: throw mismatch(index, type)
    }
  }
}

extension BinaryFloatingPoint where Self: LosslessStringConvertible {
  /// Creates a number from a text; `nil` if the text is not a number, or if the type's own
  /// description of the value is a different decimal number.
  init?(exactText text: String) {
    guard let value = Self(text) else { return nil }
    guard value.isFinite else {
      guard ["inf", "-inf", "nan", "-nan"].contains(text) else { return nil }
      self = value
      return
    }
    guard let written = SPONDecimal(text), SPONDecimal(value.description) == written else {
      return nil
    }
    self = value
  }
}
