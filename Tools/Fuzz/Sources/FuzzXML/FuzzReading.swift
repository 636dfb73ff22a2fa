import Foundation
import Fuzzing
@_spi(Formats) import Providers

/// The events and the error of reading a document.
struct Transcript: Equatable {
  var events: [String] = []
  var error: ProviderError?

  init(_ open: () throws -> XMLEventReader) {
    do {
      var reader = try open()
      while let event = try reader.next() {
        let position = reader.position
        expect(position.line > 0 && (position.column ?? 1) > 0, "an event has no position")
        events.append(Self.line(event, reader))
      }
    } catch {
      guard let error = error as? ProviderError else {
        expect(false, "unexpected error type: \(error)")
        return
      }
      expect((error.position?.line ?? 0) > 0, "an error has no position: \(error)")
      self.error = error
    }
  }

  private static func line(_ event: XMLEventReader.Event, _ reader: borrowing XMLEventReader)
    -> String
  {
    var line = "\(event) \(reader.depth) \(reader.text)"
    guard case .startElement(let name) = event else { return line }
    line += reader.qualifiedName(of: name)
    for index in 0..<reader.attributeCount {
      line += " \(reader.attributeName(at: index)) \(reader.attribute(at: index))"
    }
    for (prefix, namespace) in reader.namespaces { line += " \(prefix ?? "") \(namespace)" }
    return line
  }
}

/// Parses a document as a whole and in chunks whose length is the first byte.
func fuzzChunkedReading(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  var options = XMLEventReader.Options()
  options.keepsWhitespace = first & 1 != 0
  options.hasComments = first & 2 != 0
  options.hasProcessingInstructions = first & 4 != 0
  let isLimited = first & 8 != 0
  if isLimited {
    options.limits = XMLEventReader.Limits(
      depth: 4, textLength: 64, nameLength: 16, attributeCount: 3, nameCount: 12)
  }
  let length = Int(first >> 4) + 1
  let text = Array(bytes.dropFirst())
  let whole = Transcript { try XMLEventReader(bytes: text, options: options) }
  var place = 0
  let pieces = Transcript {
    try XMLEventReader(options: options) {
      guard place < text.count else { return nil }
      defer { place += length }
      return Array(text[place..<min(place + length, text.count)])
    }
  }
  // A document with two errors may be rejected for either.
  expect((whole.error == nil) == (pieces.error == nil), "\(whole) as a whole, \(pieces) in chunks")
  guard whole.error == nil else { return }
  expect(whole == pieces, "\(whole) as a whole, \(pieces) in chunks")
}
