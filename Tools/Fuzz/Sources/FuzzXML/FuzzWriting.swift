import Foundation
import Fuzzing
@_spi(Formats) import Providers

/// Tests that a document round-trips.
func fuzzRoundTrip(_ bytes: [UInt8]) {
  let options = XMLEventReader.Options(keepsWhitespace: true, hasComments: true)
  let first = Transcript { try XMLEventReader(bytes: bytes, options: options) }
  guard first.error == nil else { return }
  do {
    var reader = try XMLEventReader(bytes: bytes, options: options)
    var writer = XMLEventWriter()
    while let event = try reader.next() {
      switch event {
      case .startElement(let name):
        try writer.start(written(reader.prefix, reader.localName(of: name)))
        for (prefix, namespace) in reader.namespaces {
          try writer.declare(prefix: prefix, namespace: namespace)
        }
        for index in 0..<reader.attributeCount {
          let name = reader.localName(of: reader.attributeName(at: index))
          try writer.attribute(
            written(reader.attributePrefix(at: index), name), reader.attribute(at: index))
        }
      case .endElement: try writer.end()
      case .text: try reader.withText { try writer.text($0) }
      case .comment: try writer.comment(reader.text)
      case .processingInstruction: break
      }
    }
    let output = try writer.finish()
    let second = Transcript { try XMLEventReader(bytes: output, options: options) }
    expect(first.error == second.error, "the written document is rejected: \(second)")
    expect(first.events.count == second.events.count, "\(first), then \(second)")
    // The identifiers of names may differ if a namespace is not used.
    for (one, other) in zip(first.events, second.events) {
      expect(one.filter { !$0.isNumber } == other.filter { !$0.isNumber }, "\(one), then \(other)")
    }
  } catch {
    guard let error = error as? ProviderError, error.code == .unrepresentable else {
      return expect(false, "the parsed document can't be written: \(error)")
    }
  }
}

private func written(_ prefix: String?, _ local: String) throws -> XMLEventWriter.Name {
  try XMLEventWriter.Name(prefix.map { "\($0):\(local)" } ?? local)
}

/// Writes bytes as a name, a value and a text, and tests that they are either rejected or
/// round-trip.
func fuzzWriting(_ input: [UInt8]) {
  let parts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(
    Array.init)
  guard parts.count == 2 else { return }
  let bytes = parts[1]
  do {
    let name = String(decoding: parts[0], as: UTF8.self)
    guard !name.contains(":") else { return }
    let written = try XMLEventWriter.Name(name)
    var writer = XMLEventWriter(indentation: 1)
    try writer.start(written)
    let isHeld = XMLEventReader.Text.canHold(bytes.span)
    do {
      try writer.attribute(written, bytes.span)
      try writer.text(bytes.span)
    } catch {
      expect(!isHeld, "representable text is rejected: \(error)")
    }
    try writer.end()
    var reader = try XMLEventReader(bytes: try writer.finish())
    guard case .startElement(let read) = try reader.next() else {
      return expect(false, "no element is read")
    }
    expect(Array(reader.localName(of: read).utf8) == Array(name.utf8), "the parsed name differs")
    guard isHeld else {
      return expect(reader.attributeCount == 0, "unrepresentable text was partly written")
    }
    expect(Array(reader.attribute(at: 0).utf8) == bytes, "the parsed value differs")
    if !bytes.isEmpty {
      guard try reader.next() == .text else { return expect(false, "no text is read") }
      expect(Array(reader.text.utf8) == bytes, "the parsed text differs")
    }
  } catch {
    expect(
      (error as? ProviderError)?.code == .unrepresentable,
      "the written document is rejected: \(error)")
  }
}
