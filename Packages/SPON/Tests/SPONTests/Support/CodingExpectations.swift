import SPON
import Testing

/// Expects a value to be encoded as a text, and the text to be decoded as the value.
func expectCoding<Value: Codable & Equatable>(
  _ value: Value, _ expected: String, encoder: SPONEncoder = SPONEncoder(),
  decoder: SPONDecoder = SPONDecoder(), sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    let text = try encoder.encode(value)
    #expect(
      text.utf8.elementsEqual(expected.utf8), "\(text), not \(expected)",
      sourceLocation: sourceLocation)
    let back = try decoder.decode(Value.self, from: text)
    #expect(back == value, "\(text)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(expected): \(error)", sourceLocation: sourceLocation)
  }
}

/// Expects a text to be decoded as a value of a type.
func expectRead<Value: Decodable & Equatable>(
  _ text: String, _ expected: Value, decoder: SPONDecoder = SPONDecoder(),
  sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    let value = try decoder.decode(Value.self, from: text)
    #expect(value == expected, "\(text)", sourceLocation: sourceLocation)
  } catch {
    Issue.record("\(text) as \(Value.self): \(error)", sourceLocation: sourceLocation)
  }
}

/// Expects an error when a text is decoded as a type, with its reason, and its position at the `①`
/// in the text, which is not part of it, if there is one.
@discardableResult
func expectMismatch<Value: Decodable>(
  _ marked: String, as type: Value.Type, _ code: SPONError.Code, _ path: [SPONPath.Key]? = nil,
  says part: String = "", decoder: SPONDecoder = SPONDecoder(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> SPONError? {
  let (text, position) = TextMark.split(marked)
  do {
    let value = try decoder.decode(type, from: text)
    Issue.record("\(text) was read as \(value)", sourceLocation: sourceLocation)
  } catch let error as SPONError {
    #expect(error.code == code, "\(text): \(error)", sourceLocation: sourceLocation)
    #expect(error.position != nil, "\(text): \(error)", sourceLocation: sourceLocation)
    if let position {
      #expect(error.position == position, "\(text): \(error)", sourceLocation: sourceLocation)
    }
    if let path {
      #expect(error.codingPath == path, "\(text): \(error)", sourceLocation: sourceLocation)
    }
    #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
    #expect(
      part.isEmpty || error.message.contains(part), "\(error)", sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("\(text): \(error)", sourceLocation: sourceLocation)
  }
  return nil
}

/// Expects an error when a value is encoded.
@discardableResult
func expectNotWritten(
  _ value: some Encodable, _ code: SPONError.Code, _ path: [SPONPath.Key]? = nil,
  encoder: SPONEncoder = SPONEncoder(), sourceLocation: SourceLocation = #_sourceLocation
) -> SPONError? {
  do {
    let text = try encoder.encode(value)
    Issue.record("written as \(text)", sourceLocation: sourceLocation)
  } catch let error as SPONError {
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(error.position == nil, "\(error)", sourceLocation: sourceLocation)
    if let path { #expect(error.codingPath == path, "\(error)", sourceLocation: sourceLocation) }
    return error
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
  }
  return nil
}

/// A text with a `①` that marks a position.
enum TextMark {
  /// The text without the mark, and its position.
  static func split(_ marked: String) -> (text: String, position: SPONError.Position?) {
    let parts = marked.split(separator: "①", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return (marked, nil) }
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    return (
      String(parts[0] + parts[1]),
      SPONError.Position(
        byteOffset: parts[0].utf8.count, line: lines.count,
        column: (lines.last?.unicodeScalars.count ?? 0) + 1)
    )
  }
}
