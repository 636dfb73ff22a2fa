import SPON
import Testing

/// Expects a text to be read as a value.
func expectValue(
  _ text: String, _ expected: SPONValue, rules: SPONValue.Rules = .standard,
  limits: SPONValue.Limits = .init(), sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    let value = try SPONValue(parsing: text, rules: rules, limits: limits)
    #expect(value == expected, "\(text)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(text): \(error)", sourceLocation: sourceLocation)
  }
}

/// Expects an error for a text, at the `①` in it, which is not part of it.
func expectRefusal(
  _ marked: String, _ code: SPONError.Code, _ path: [SPONPath.Key] = [],
  rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let scalars = Array(marked.unicodeScalars)
  guard let mark = scalars.firstIndex(of: "①") else {
    Issue.record("no ① in \(marked)", sourceLocation: sourceLocation)
    return
  }
  var text = String.UnicodeScalarView()
  var position = SPONError.Position(byteOffset: 0, line: 1, column: 1)
  for (place, scalar) in scalars.enumerated() where place != mark {
    text.append(scalar)
    guard place < mark else { continue }
    position.byteOffset += UTF8.width(scalar)
    position.column = scalar == "\n" ? 1 : position.column + 1
    position.line += scalar == "\n" ? 1 : 0
  }
  expectRefusal(
    bytes: Array(String(text).utf8), code, at: position, path, rules: rules, limits: limits,
    sourceLocation: sourceLocation)
}

/// Expects an error for bytes at an offset.
func expectRefusal(
  bytes: [UInt8], _ code: SPONError.Code, at position: SPONError.Position?,
  _ path: [SPONPath.Key] = [],
  rules: SPONValue.Rules = .standard, limits: SPONValue.Limits = .init(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: bytes.prefix(200), as: UTF8.self)
  do {
    let value = try SPONValue(parsing: bytes, rules: rules, limits: limits)
    Issue.record("\(text) was read as \(value)", sourceLocation: sourceLocation)
  } catch {
    #expect(error.code == code, "\(text): \(error)", sourceLocation: sourceLocation)
    if let position {
      #expect(error.position == position, "\(text): \(error)", sourceLocation: sourceLocation)
    }
    #expect(error.codingPath == path, "\(text): \(error)", sourceLocation: sourceLocation)
    #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
  }
}

/// Expects a value to be written as a text, and the text to be read as the value.
func expectText(
  _ value: SPONValue, _ expected: String, _ formatting: SPONValue.Formatting = [],
  version: SPONValue.Version = .automatic, sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    let text = try value.text(formatting, version: version)
    #expect(
      text.utf8.elementsEqual(expected.utf8), "\(text), not \(expected)",
      sourceLocation: sourceLocation)
    let back = try SPONValue(parsing: text)
    #expect(back == value, "\(text)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(expected): \(error)", sourceLocation: sourceLocation)
  }
}

/// Expects version 1 not to support a value.
func expectNotInVersion1(
  _ value: SPONValue, sourceLocation: SourceLocation = #_sourceLocation
) {
  let error = #expect(throws: SPONError.self, sourceLocation: sourceLocation) {
    try value.text(version: .one)
  }
  #expect(error?.code == .notRepresentable, "\(value)", sourceLocation: sourceLocation)
  #expect(error?.position == nil, sourceLocation: sourceLocation)
}

/// Creates an object with pairs in order.
func object(_ typeName: String = "", _ pairs: KeyValuePairs<String, SPONValue> = [:]) -> SPONValue {
  var object = SPONObject(typeName: typeName)
  for (key, value) in pairs { object[key] = value }
  return .object(object)
}

/// Creates a valid instant.
func instant(_ seconds: Int64, _ attoseconds: Int64 = 0) throws -> SPONValue {
  .instant(try #require(SPONInstant(secondsSince1970: seconds, attoseconds: attoseconds)))
}

/// Creates a valid decimal number.
func decimal(_ text: String) throws -> SPONValue { .decimal(try #require(SPONDecimal(text))) }
