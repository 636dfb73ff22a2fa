import Fuzzing
import SPON

/// Reads a text by all rules, and writes and reads again what was read.
func fuzzText(_ bytes: [UInt8]) {
  let value = read(bytes, .standard)
  let strict = read(bytes, .strict)
  let lenient = read(bytes, .lenient)
  expect(strict == nil || strict == value, "strict rules read another value")
  if let value { expectRoundTrip(value) }
  // Lenient rules may read another value, of texts that begin as an object with an odd type name does.
  if let lenient, lenient != value { expectRoundTrip(lenient) }
}

/// A text's value; `nil` where it is refused, with a place in it.
private func read(_ bytes: [UInt8], _ rules: SPONValue.Rules) -> SPONValue? {
  do {
    return try SPONValue(parsing: bytes, rules: rules)
  } catch {
    let offset = error.position?.byteOffset ?? -1
    expect((0...bytes.count).contains(offset), "an error has no place in the text: \(error)")
    return nil
  }
}

private func expectRoundTrip(_ value: SPONValue) {
  do {
    let canonical = try value.bytes(.canonical)
    let back = try SPONValue(parsing: canonical, rules: .strict)
    expect(back == value && back.hashValue == value.hashValue, "another value was read again")
    expect(try back.bytes(.canonical) == canonical, "there are two canonical forms")
    if canonical.count < 1_000, !hasAmbiguousTypeName(canonical) {
      expect(try SPONValue(parsing: canonical, rules: .lenient) == value, "lenient rules misread")
    }
    let pretty = try value.bytes(.prettyPrinted)
    expect(try SPONValue(parsing: pretty) == value, "pretty text is read as another value")
    let marked = try value.bytes(version: .two)
    expect(try SPONValue(parsing: marked) == value, "version 2 is read as another value")
  } catch {
    fail("what was written is refused: \(error)")
  }
  expectVersion1(value)
}

/// Whether there is a type name that lenient rules can't tell from a text with a pair behind it.
private func hasAmbiguousTypeName(_ text: [UInt8]) -> Bool {
  String(decoding: text, as: UTF8.self).split(separator: "@obj:").dropFirst()
    .contains { $0.prefix { $0 != "<" }.contains("=") }
}

/// Version 1 has no form for a value, or one that is read and written the same again.
private func expectVersion1(_ value: SPONValue) {
  guard let text = try? value.bytes(version: .one) else { return }
  guard let back = try? SPONValue(parsing: text) else {
    fail("version 1 as it was written is refused")
  }
  expect((try? back.bytes(version: .one)) == text, "version 1 is written in two ways")
}
