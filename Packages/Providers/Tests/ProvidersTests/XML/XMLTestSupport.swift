import Foundation
@_spi(Formats) import Providers
import Testing

extension TemporaryFolder {
  /// Writes a file with a unique name.
  func file(_ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(UUID().uuidString).xml"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}

/// Returns the events of a whole document: a line for each event, and the error that ends it.
struct XMLTranscript: Equatable {
  var events: [String] = []
  var error: ProviderError?

  init(_ reader: consuming XMLEventReader) {
    do {
      while let event = try reader.next() {
        events.append(Self.line(event, reader))
      }
    } catch {
      self.error = error as? ProviderError
      if self.error == nil { Issue.record("another error: \(error)") }
      #expect(throws: (any Error).self, "the error is thrown again") { _ = try reader.next() }
    }
  }

  init(_ bytes: [UInt8], _ options: XMLEventReader.Options = XMLEventReader.Options()) throws {
    self.init(try XMLEventReader(bytes: bytes, options: options))
  }

  init(_ text: String, _ options: XMLEventReader.Options = XMLEventReader.Options()) throws {
    try self.init(Array(text.utf8), options)
  }

  /// - Parameter length: The length of the pieces.
  init(
    _ bytes: [UInt8], pieces length: Int,
    _ options: XMLEventReader.Options = XMLEventReader.Options()
  )
    throws
  {
    var place = 0
    self.init(
      try XMLEventReader(options: options) {
        guard place < bytes.count else { return nil }
        defer { place += length }
        return Array(bytes[place..<min(place + length, bytes.count)])
      })
  }

  static func line(_ event: XMLEventReader.Event, _ reader: borrowing XMLEventReader) -> String {
    switch event {
    case .startElement(let name):
      var line = "<" + reader.qualifiedName(of: name)
      for index in 0..<reader.attributeCount {
        let name = reader.qualifiedName(of: reader.attributeName(at: index))
        line += " \(name)=\(reader.attribute(at: index))"
      }
      return line + ">"
    case .endElement(let name): return "</\(reader.qualifiedName(of: name))>"
    case .text: return "'\(reader.text)'"
    case .comment: return "!\(reader.text)"
    case .processingInstruction(let name): return "?\(reader.localName(of: name)) \(reader.text)"
    }
  }
}
