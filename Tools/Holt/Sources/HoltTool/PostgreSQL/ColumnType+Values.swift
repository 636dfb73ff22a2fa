import Primitives
import SPON
import SQLiteCore

/// A value that a column's type can't represent. The message is without the value.
struct UnsuitableValue: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

// Values of SQLite.
extension ColumnType {
  /// Converts a value of SQLite to a value of this type.
  ///
  /// - Throws: `UnsuitableValue` if the type does not contain the value.
  func dataValue(_ row: borrowing Row, at index: ColumnIndex) throws(UnsuitableValue) -> DataValue {
    do {
      switch (try row.storageClass(at: index), self) {
      case (.null, _): return .null
      case (.integer, .bigint): return .integer(try row.integer(at: index))
      case (.real, .float8): return .real(try row.real(at: index))
      case (.text, .text): return .text(try storable(row.text(at: index)))
      case (.blob, .bytea): return .blob(try row.blob(at: index))
      default: return try dataValue(row.value(at: index))
      }
    } catch let error as SQLiteError where error.code == .invalidText {
      throw UnsuitableValue("the text is not valid UTF-8")
    } catch let error as UnsuitableValue {
      throw error
    } catch {
      throw UnsuitableValue("\(error)")
    }
  }

  /// Converts a value of SQLite to a value of this type.
  ///
  /// - Throws: `UnsuitableValue` if the type does not contain the value.
  func dataValue(_ value: SQLiteValue) throws(UnsuitableValue) -> DataValue {
    switch (self, value) {
    case (_, .null): return .null
    case (.boolean, .integer(let number)) where number == 0 || number == 1:
      return .bool(number == 1)
    case (.boolean, .integer): throw UnsuitableValue("the integer is neither 0 nor 1")
    case (.smallint, .integer(let number)):
      guard Int16(exactly: number) != nil else { throw outOfRange }
      return .integer(number)
    case (.integer, .integer(let number)):
      guard Int32(exactly: number) != nil else { throw outOfRange }
      return .integer(number)
    case (.bigint, .integer(let number)): return .integer(number)
    case (.float8, .real(let number)): return .real(number)
    case (.float8, .integer(let number)):
      guard let real = Double(exactly: number) else { throw outOfRange }
      return .real(real)
    case (.float4, .real(let number)):
      guard Double(Float(number)) == number else { throw outOfRange }
      return .real(number)
    case (.float4, .integer(let number)):
      guard let real = Float(exactly: number) else { throw outOfRange }
      return .real(Double(real))
    case (.numeric, .integer(let number)): return try decimal("\(number)")
    case (.numeric, .real(let number)):
      if number.isInfinite { return try decimal(number < 0 ? "-Infinity" : "Infinity") }
      return try decimal("\(number)")
    case (.numeric, .text(let text)): return try decimal(text)
    case (.text, .text(let text)), (.textual, .text(let text)), (.array, .text(let text)):
      return .text(try storable(text))
    case (.varchar(let limit), .text(let text)):
      guard text.unicodeScalars.count <= limit else {
        throw UnsuitableValue("the text has more than \(limit) characters")
      }
      return .text(try storable(text))
    case (.bytea, .blob(let bytes)): return .blob(bytes)
    case (.date, .text(let text)):
      guard let date = CalendarText.date(text) else { throw mismatch("a date") }
      return .date(date)
    case (.time, .text(let text)):
      guard let time = CalendarText.time(text) else { throw mismatch("a time") }
      return .time(time)
    case (.timestamp, .text(let text)):
      guard let timestamp = CalendarText.timestamp(text) else {
        throw mismatch("a date and time without zone")
      }
      return .timestamp(timestamp)
    case (.timestamptz, .text(let text)):
      guard let timestamp = CalendarText.timestampWithZone(text) else {
        throw mismatch("a date and time with a zone")
      }
      return .timestampWithZone(timestamp)
    case (.uuid, .text(let text)):
      guard let uuid = Self.uuid(text) else { throw mismatch("a UUID") }
      return .uuid(uuid)
    case (.uuid, .blob(let bytes)):
      guard bytes.count == 16 else { throw mismatch("a UUID") }
      return .uuid(Self.uuid(bytes))
    case (.json, .integer(let number)), (.jsonb, .integer(let number)): return .json("\(number)")
    case (.json, .real(let number)), (.jsonb, .real(let number)):
      guard number.isFinite else { throw mismatch("JSON") }
      return .json("\(number)")
    case (.json, .text(let text)), (.jsonb, .text(let text)):
      guard (try? JSONDocument(text)) != nil else { throw mismatch("JSON") }
      guard self == .json || !text.contains("\\u0000") else {
        throw UnsuitableValue("the JSON contains NUL, which PostgreSQL can't store in jsonb")
      }
      return .json(try storable(text))
    default: throw UnsuitableValue("the value is \(value.kindName), not \(postgreSQLName)")
    }
  }

  private var outOfRange: UnsuitableValue {
    UnsuitableValue("the number can't be represented as \(postgreSQLName)")
  }

  private func mismatch(_ wanted: String) -> UnsuitableValue {
    UnsuitableValue("the text is not \(wanted)")
  }

  private func storable(_ text: String) throws(UnsuitableValue) -> String {
    guard !text.utf8.contains(0) else {
      throw UnsuitableValue("the text contains NUL, which PostgreSQL can't store")
    }
    return text
  }

  /// Returns a decimal number, unless the type would round it.
  private func decimal(_ text: String) throws(UnsuitableValue) -> DataValue {
    guard case .numeric(let precision, let scale) = self else { throw mismatch("a number") }
    if ["NaN", "Infinity", "-Infinity"].contains(text) {
      guard precision == nil || text == "NaN" else { throw outOfRange }
      return .decimal(text)
    }
    guard let number = DecimalText(text) else { throw mismatch("a decimal number") }
    if let precision {
      guard number.fractionCount <= scale, number.integerCount <= precision - scale else {
        throw outOfRange
      }
    }
    return .decimal(text)
  }

  private static func uuid(_ text: String) -> String? {
    let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard groups.map(\.count) == [8, 4, 4, 4, 12],
      text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isHexDigit })
    else { return nil }
    return text.asciiLowercased
  }

  private static func uuid(_ bytes: [UInt8]) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
    return text
  }

  /// Converts a value of this type to the value that SQLite stores in a column of the corresponding type.
  ///
  /// - Throws: `UnsuitableValue` if SQLite would store another value.
  func sqliteValue(_ value: DataValue) throws(UnsuitableValue) -> SQLiteValue {
    switch value {
    case .null: return .null
    case .bool(let value): return .integer(value ? 1 : 0)
    case .integer(let number): return .integer(number)
    case .real(let number):
      guard !number.isNaN else {
        throw UnsuitableValue("the number is NaN, which SQLite stores as NULL")
      }
      return .real(number)
    case .decimal(let text):
      guard isExactInSQLite else { return .text(text) }
      guard text != "NaN", let number = Double(text) else {
        throw UnsuitableValue("the number is NaN, which SQLite stores as NULL")
      }
      return Int64(exactly: number).map { .integer($0) } ?? .real(number)
    case .json(let text):
      // SQLite converts a number to its own notation, because the column has numeric affinity.
      if let first = text.utf8.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
        first == UInt8(ascii: "-") || (48...57).contains(first),
        Int64(text)?.description != text, Double(text)?.description != text
      {
        throw UnsuitableValue("SQLite would change the notation of the JSON number")
      }
      return .text(text)
    case .text(let text), .uuid(let text), .timestampWithZone(let text), .timestamp(let text),
      .date(let text), .time(let text):
      return .text(text)
    case .blob(let bytes): return .blob(bytes)
    case .array: throw UnsuitableValue("the value is an array")
    }
  }
}

// Canonical bytes.
extension ColumnType {
  /// Appends bytes that are equal for equal values of this type in any notation, and different for others.
  func appendCanonical(_ value: DataValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(0)
    case .bool(let value): bytes += [1, value ? 1 : 0]
    case .integer(let number):
      bytes.append(2)
      Self.append(UInt64(bitPattern: number), to: &bytes)
    case .real(let number):
      bytes.append(3)
      // All NaNs are one value of PostgreSQL, and -0 equals 0.
      let number = number == 0 ? 0 : number.isNaN ? Double.nan : number
      Self.append(number.bitPattern, to: &bytes)
    case .decimal(let text): Self.append(DecimalText(text)?.canonical ?? text, 4, to: &bytes)
    case .text(let text): Self.append(text, 5, to: &bytes)
    case .blob(let blob):
      bytes.append(6)
      Self.append(UInt64(blob.count), to: &bytes)
      bytes += blob
    case .uuid(let text): Self.append(text, 7, to: &bytes)
    case .timestampWithZone(let text): Self.append(text, 8, to: &bytes)
    case .timestamp(let text): Self.append(text, 9, to: &bytes)
    case .date(let text): Self.append(text, 10, to: &bytes)
    case .time(let text): Self.append(text, 11, to: &bytes)
    case .json(let text):
      if self == .jsonb, let tree = try? SPONValue(json: text, style: .plain) {
        Self.append(tree, to: &bytes)
      } else {
        Self.append(text, 12, to: &bytes)
      }
    case .array(let elements):
      bytes.append(14)
      for element in elements { appendCanonical(element, to: &bytes) }
    }
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  /// Appends a document regardless of its notation, which `jsonb` does not keep.
  private static func append(_ tree: SPONValue, to bytes: inout [UInt8]) {
    switch tree {
    case .null: bytes.append(20)
    case .bool(let value): bytes += [21, value ? 1 : 0]
    case .string(let text): append(text, 22, to: &bytes)
    case .array(let elements):
      bytes.append(23)
      append(UInt64(elements.count), to: &bytes)
      for element in elements { append(element, to: &bytes) }
    case .object(let object):
      bytes.append(24)
      append(UInt64(object.count), to: &bytes)
      for key in object.keys.sorted() {
        append(key, 25, to: &bytes)
        if let value = object[key] { append(value, to: &bytes) }
      }
    case .integer(let number): append(number: "\(number)", to: &bytes)
    case .unsigned(let number): append(number: "\(number)", to: &bytes)
    case .double(let number): append(number: "\(number)", to: &bytes)
    case .float(let number): append(number: "\(number)", to: &bytes)
    case .decimal(let number): append(number: number.description, to: &bytes)
    default: append(tree.description, 26, to: &bytes)
    }
  }

  private static func append(number text: String, to bytes: inout [UInt8]) {
    append(DecimalText(text)?.canonical ?? text, 27, to: &bytes)
  }

  private static func append(_ text: String, _ tag: UInt8, to bytes: inout [UInt8]) {
    bytes.append(tag)
    append(UInt64(text.utf8.count), to: &bytes)
    bytes.append(contentsOf: text.utf8)
  }
}

extension SQLiteValue {
  /// The storage class, for messages.
  var kindName: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "text"
    case .blob: "a blob"
    }
  }
}

/// The digits of a decimal number, without zeros at either end.
struct DecimalText {
  private var isNegative = false
  private var digits: [UInt8] = []
  /// The number of digits after the point; negative if the number ends with zeros.
  private var scale = 0

  /// Parses digits with an optional sign, fraction and exponent.
  init?(_ text: String) {
    var bytes = text.utf8[...]
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      bytes.removeFirst()
    }
    var (hasPoint, count) = (false, 0)
    while let byte = bytes.first {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits.append(byte)
        count += 1
        if hasPoint { scale += 1 }
      case UInt8(ascii: ".") where !hasPoint && count > 0: hasPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard count > 0, let exponent = Int(Substring(bytes.dropFirst())),
          exponent.magnitude < 100_000
        else { return nil }
        scale -= exponent
        bytes = bytes[bytes.endIndex...]
        continue
      default: return nil
      }
      bytes.removeFirst()
    }
    guard count > 0 else { return nil }
    digits = Array(digits.drop { $0 == UInt8(ascii: "0") })
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      scale -= 1
    }
    if digits.isEmpty { (isNegative, scale) = (false, 0) }
  }

  /// The number of digits that the number needs after the point.
  var fractionCount: Int { max(scale, 0) }
  /// The number of digits that the number needs before the point.
  var integerCount: Int { max(digits.count - scale, 0) }

  /// A text that is equal for equal numbers.
  var canonical: String {
    digits.isEmpty
      ? "0" : (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + "e\(-scale)"
  }
}
