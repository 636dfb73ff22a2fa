internal import SQLiteCore

/// A value in what a route is encoded to: with its storage class, so that it comes back as it was.
struct CodedValue: Codable {
  let value: SQLiteValue

  init(_ value: SQLiteValue) { self.value = value }

  private enum CodingKeys: CodingKey { case integer, real, text, blob }

  init(from decoder: any Decoder) throws {
    if try decoder.singleValueContainer().decodeNil() {
      value = .null
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let integer = try container.decodeIfPresent(Int64.self, forKey: .integer) {
      value = .integer(integer)
    } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      value = .text(text)
    } else if let digits = try container.decodeIfPresent(String.self, forKey: .real) {
      guard let real = Double(digits) else {
        throw DecodingError.dataCorruptedError(
          forKey: .real, in: container, debugDescription: "not a number")
      }
      value = .real(real)
    } else {
      let digits = Array(try container.decode(String.self, forKey: .blob).utf8)
      var bytes: [UInt8] = []
      for index in stride(from: 0, to: digits.count, by: 2) {
        guard index + 1 < digits.count,
          let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .blob, in: container, debugDescription: "not hexadecimal digits")
        }
        bytes.append(byte)
      }
      value = .blob(bytes)
    }
  }

  func encode(to encoder: any Encoder) throws {
    if value.isNull {
      var container = encoder.singleValueContainer()
      try container.encodeNil()
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch value {
    case .null: break
    case .integer(let integer): try container.encode(integer, forKey: .integer)
    // As text: JSON has no infinity.
    case .real(let real): try container.encode(String(real), forKey: .real)
    case .text(let text): try container.encode(text, forKey: .text)
    case .blob(let bytes):
      let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      try container.encode(digits.joined(), forKey: .blob)
    }
  }
}
