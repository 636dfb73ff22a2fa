import SPON

/// Random values of all kinds, including values that are difficult to write.
struct RandomValues {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a value, which is occasionally deep or wide.
  mutating func value() -> SPONValue {
    if random.once(in: 200) { return deep() }
    if random.once(in: 200) { return wide() }
    return value(depth: 0)
  }

  private mutating func value(depth: Int) -> SPONValue {
    // Containers are frequent at the root, and less frequent with each level.
    if depth < 4, random.below(10) < (depth == 0 ? 8 : 4 - depth) {
      return random.once(in: 2) ? array(depth: depth + 1) : .object(object(depth: depth + 1))
    }
    return scalar()
  }

  private mutating func array(depth: Int) -> SPONValue {
    let count = random.below(random.once(in: 8) ? 20 : 4)
    return .array((0..<count).map { _ in value(depth: depth) })
  }

  private mutating func object(depth: Int) -> SPONObject {
    var object = SPONObject(typeName: random.once(in: 2) ? "" : name())
    for _ in 0..<random.below(random.once(in: 8) ? 24 : 5) { object[name()] = value(depth: depth) }
    return object
  }

  private mutating func deep() -> SPONValue {
    var value = scalar()
    for _ in 0..<100 + random.below(412) {
      if random.once(in: 2) {
        value = .array([value])
      } else {
        var object = SPONObject()
        object[name()] = value
        value = .object(object)
      }
    }
    return value
  }

  private mutating func wide() -> SPONValue {
    var object = SPONObject(typeName: "Wide")
    for index in 0..<200 { object["k\(index)"] = scalar() }
    return .array([.object(object), .array((0..<100).map { _ in scalar() })])
  }

  mutating func scalar() -> SPONValue {
    switch random.below(13) {
    case 0: return .null
    case 1: return .bool(random.once(in: 2))
    case 2: return .integer(integer())
    case 3: return .unsigned(UInt64(bitPattern: integer()))
    case 4: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits(32, 23))))
    case 5: return .double(Double(bitPattern: bits(64, 52)))
    case 6:
      return .double(Double(integer() % 1_000_000) / Double(random.one(of: [1, 10, 1_000, 8])))
    case 7: return decimal()
    case 8: return .bytes(random.bytes(random.below(9)))
    case 9: return instant()
    case 10: return .opaque(text())
    default: return .string(text())
    }
  }

  private mutating func integer() -> Int64 {
    switch random.below(4) {
    case 0: random.one(of: [0, 1, -1, .max, .min, .max - 1, .min + 1, 1 << 53, 999, 1_000])
    case 1: Int64(truncatingIfNeeded: random.next() % 1_000)
    default: Int64(bitPattern: random.next()) >> Int64(random.below(64))
    }
  }

  /// The bits of a number: any, subnormal, infinite or NaN.
  private mutating func bits(_ width: UInt64, _ significand: UInt64) -> UInt64 {
    let all = random.next() >> (64 - width)
    let exponent = (UInt64(1) << (width - 1 - significand) - 1) << significand
    switch random.below(6) {
    case 0: return all & ~exponent
    case 1: return all | exponent
    case 2: return random.one(of: [0, 1, 1 << (width - 1), exponent, exponent | 1, exponent - 1])
    default: return all
    }
  }

  private mutating func decimal() -> SPONValue {
    if random.once(in: 20) { return .decimal(.notANumber) }
    var text = random.once(in: 2) ? "-" : ""
    let count = random.below(random.once(in: 10) ? 120 : 20)
    text += "\(random.below(10))"
    for _ in 0..<count { text += "\(random.below(10))" }
    if random.once(in: 2) { text += ".\(random.below(1_000_000))" }
    if random.once(in: 3) {
      text +=
        "e\(random.one(of: [-999_999_999, -400, -41, -40, -39, -1, 0, 1, 39, 40, 999_999_000]))"
    }
    return SPONDecimal(text).map { .decimal($0) } ?? .null
  }

  private mutating func instant() -> SPONValue {
    let (first, last): (Int64, Int64) = (-62_167_219_200, 253_402_300_799)
    let seconds =
      random.once(in: 4)
      ? random.one(of: [first, last, 0, -1, 951_782_399, 951_868_800, -2_203_891_200])
      : first + Int64(truncatingIfNeeded: random.next() % UInt64(last - first + 1))
    let second: Int64 = 1_000_000_000_000_000_000
    let fraction: Int64 =
      switch random.below(4) {
      case 0: 0
      case 1: Int64(random.below(1_000)) * (second / 1_000)
      case 2: random.one(of: [1, second - 1, 10, second / 10])
      default: Int64(truncatingIfNeeded: random.next() % UInt64(second))
      }
    return SPONInstant(secondsSince1970: seconds, attoseconds: fraction).map { .instant($0) }
      ?? .null
  }

  /// Returns a key or a type name.
  private mutating func name() -> String {
    random.once(in: 3)
      ? text() : random.one(of: ["a", "b", "name", "id", "", "x1", "first name", "@spon", "k$"])
  }

  mutating func text() -> String {
    if random.once(in: 3) { return random.one(of: Self.texts) }
    var text = String.UnicodeScalarView()
    for _ in 0..<random.below(12) {
      if random.once(in: 3) {
        text.append(contentsOf: random.one(of: Self.pieces).unicodeScalars)
      } else {
        text.append(scalarOfText())
      }
    }
    return String(text)
  }

  private mutating func scalarOfText() -> Unicode.Scalar {
    switch random.below(4) {
    case 0: Unicode.Scalar(UInt8(random.below(128)))
    case 1: Unicode.Scalar(UInt32(0x300 + random.below(0x70))) ?? "x"
    case 2: Unicode.Scalar(UInt32(random.below(0x11_0000))) ?? "\u{FFFD}"
    default: Unicode.Scalar(UInt8(0x61 + random.below(26)))
    }
  }

  private static let texts = [
    "", " ", "\n", "`", "``", "&", "&01;", "&u41;", "&ud800;", "&u110000;", "&u;", "&u0000041;",
    "]",
    "[", ",", "<null>", "<null> ", "null", "true", "@obj", "@obj:X<a!=`1`>", "@array[1!]",
    "@array:2[",
    "@spon", "@spon!", "@spon!=`2`", "%!$^&*?#+~", "1!", "x?", "\0", "e\u{301}", "\u{301}", "é",
    "\u{200D}", "\u{FEFF}", "🇨🇿", "\u{10FFFF}", " lead", "trail ", "a,b", "a]b", "a=b", "a:b",
    "a<b>",
    "2023-11-14 22:13:20 +0000", "-", "nan", "\r\n", "\u{1FEF}\u{37E}", "&&01;;", "&u26;01;",
  ]
  private static let pieces = [
    "`", "&", "&0", "01;", "&01;", "&u", "u41;", "41;", ";", "<", ">", "[", "]", ",", "=", ":", "@",
    "@obj", "\0", " ", "\n", "e\u{301}", "🐎", "?", "~", "$",
  ]
}

extension RandomValues {
  /// Returns the value with the keys of every object in another order.
  mutating func shuffled(_ value: SPONValue) -> SPONValue {
    switch value {
    case .array(let elements): return .array(elements.map { shuffled($0) })
    case .object(let object):
      var other = SPONObject(typeName: object.typeName)
      for place in object.keys.indices.shuffled(using: &random) {
        other[object.keys[place]] = shuffled(object.values[place])
      }
      return .object(other)
    default: return value
    }
  }
}
