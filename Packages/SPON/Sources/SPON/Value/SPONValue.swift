/// Anything that a text in SPON can say, with its type.
///
/// ```swift
/// let value = try SPONValue(parsing: "@obj:Address<city$=`Oslo` zip!=`150`>")
/// print(value["city"]?.string ?? "nowhere")  // Oslo
/// ```
///
/// Two values are equal if they are written alike in canonical form: `nan` equals `nan`, `0.0` does
/// not equal `-0.0`, and an integer never equals a `Double`.
public enum SPONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer of any size that a `UInt64` has; one that is an `Int64` equals that ``integer(_:)``.
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case decimal(SPONDecimal)
  case string(String)
  case bytes([UInt8])
  case instant(SPONInstant)
  /// Text whose type is not said: what the original wrote for types that it did not know.
  case opaque(String)
  case array([SPONValue])
  indirect case object(SPONObject)
}

extension SPONValue: Hashable {
  public static func == (left: SPONValue, right: SPONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.integer(let signed), .unsigned(let unsigned)),
      (.unsigned(let unsigned), .integer(let signed)):
      Int64(exactly: unsigned) == signed
    case (.float(let left), .float(let right)):
      left.canonicalBits == right.canonicalBits
    case (.double(let left), .double(let right)):
      left.canonicalBits == right.canonicalBits
    case (.decimal(let left), .decimal(let right)): left == right
    case (.string(let left), .string(let right)): left.isSameUTF8(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.instant(let left), .instant(let right)): left == right
    case (.opaque(let left), .opaque(let right)): left.isSameUTF8(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .unsigned(let value):
      // As the integer that it may equal.
      if let value = Int64(exactly: value) { hasher.combine(value) } else { hasher.combine(value) }
    case .float(let value): hasher.combine(value.canonicalBits)
    case .double(let value): hasher.combine(value.canonicalBits)
    case .decimal(let value): hasher.combine(value)
    case .string(let value), .opaque(let value): value.hashUTF8(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .instant(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension Double {
  /// The bits, alike for everything that is not a number.
  var canonicalBits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}

extension Float {
  /// The bits, alike for everything that is not a number.
  var canonicalBits: UInt32 { isNaN ? Float.nan.bitPattern : bitPattern }
}
