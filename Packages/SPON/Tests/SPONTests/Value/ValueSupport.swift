import SPON

/// Values that the tests share.
enum ValueSupport {
  static let texts = [
    "", "a", "Ada", "first name", "a`b", "&01;", "&u3c;", "<null>", "@obj", "@array[1!]", "@", "@@",
    "@type", "@float", "@spon", "\"\\/", "\u{0}\u{1}\u{1F}\u{7F}", "\n\r\t\u{8}\u{C}", "é",
    "e\u{301}",
    "\u{301}", "🐎", "👩‍👩‍👧", "\u{FEFF}", "\u{10FFFF}", "\u{2028}", ", ] [ < > = :", " x ", "true", "12",
    "nan",
  ]

  static func text(using random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return String(
        String.UnicodeScalarView(
          (0..<Int.random(in: 0...6, using: &random)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random))
          }))
    case 1: return "k\(Int.random(in: 0...9, using: &random))"
    default: return texts.randomElement(using: &random) ?? ""
    }
  }

  /// Any value.
  static func value(using random: inout SeededGenerator, depth: Int = 4) -> SPONValue {
    switch Int.random(in: 0..<(depth > 0 ? 17 : 12), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2:
      return .integer(
        Bool.random(using: &random)
          ? Int64.random(in: -9...9, using: &random) : Int64(bitPattern: random.next()))
    case 3: return .unsigned(random.next() >> UInt64.random(in: 0...40, using: &random))
    case 4:
      let bits = UInt32(truncatingIfNeeded: random.next())
      return .float(
        Bool.random(using: &random)
          ? Float(bitPattern: bits) : Float(Int8(truncatingIfNeeded: bits)) / 8)
    case 5:
      return .double(
        Bool.random(using: &random)
          ? Double(bitPattern: random.next()) : Double(Int16(truncatingIfNeeded: random.next())))
    case 6:
      return [.double(-0.0), .double(.nan), .float(.infinity), .double(-.infinity), .float(-0.0)]
        .randomElement(using: &random) ?? .null
    case 7:
      let text = "\(Int64(bitPattern: random.next()))e\(Int.random(in: -60...60, using: &random))"
      return .decimal(SPONDecimal(text) ?? .notANumber)
    case 8: return .string(text(using: &random))
    case 9: return .opaque(text(using: &random))
    case 10:
      return .bytes(
        (0..<Int.random(in: 0...7, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        })
    case 11:
      return SPONInstant(
        secondsSince1970: Int64.random(in: -62_167_219_200..<253_402_300_800, using: &random),
        attoseconds: Bool.random(using: &random)
          ? 0 : Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random)
      ).map { .instant($0) } ?? .null
    case 12, 13, 14:
      return .array(
        (0..<Int.random(in: 0...5, using: &random)).map { _ in
          value(using: &random, depth: depth - 1)
        })
    default:
      var object = SPONObject(
        typeName: Bool.random(using: &random) ? "" : text(using: &random))
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        object[text(using: &random)] = value(using: &random, depth: depth - 1)
      }
      return .object(object)
    }
  }

  /// Returns a value with some parts changed, removed, added or moved.
  static func edited(_ value: SPONValue, using random: inout SeededGenerator) -> SPONValue {
    if Int.random(in: 0..<12, using: &random) == 0 { return self.value(using: &random, depth: 2) }
    switch value {
    case .array(var elements):
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let place = Int.random(in: 0...elements.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: elements.insert(self.value(using: &random, depth: 1), at: place)
        case 1 where place < elements.count: elements.remove(at: place)
        case 2 where place < elements.count:
          elements[place] = edited(elements[place], using: &random)
        default: break
        }
      }
      return .array(elements)
    case .object(var object):
      if Int.random(in: 0..<4, using: &random) == 0 { object.typeName = text(using: &random) }
      for key in object.keys {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: object[key] = nil
        case 1: object[key] = object[key].map { edited($0, using: &random) }
        default: break
        }
      }
      if Bool.random(using: &random) {
        object[text(using: &random)] = self.value(using: &random, depth: 1)
      }
      return .object(object)
    default: return Bool.random(using: &random) ? value : self.value(using: &random, depth: 1)
    }
  }
}
