import Foundation
import Fuzzing
import Primitives
@_spi(Formats) import Providers

/// Parses JSON as a whole and in chunks, and tests that the events round-trip.
func fuzzJSON(_ bytes: [UInt8]) {
  guard let first = bytes.first else { return }
  let text = Array(bytes.dropFirst())
  let modes: [JSONReadingOptions.Mode] = [.single, .lines, .concatenated]
  let options = JSONReadingOptions(
    mode: modes[Int(first % 3)], duplicateKeys: first & 4 == 0 ? .refused : .reported,
    depth: first & 8 == 0 ? 512 : 8, length: first & 8 == 0 ? 1_000_000_000 : 24)
  let whole = events(text, options, nil)
  let parts = events(text, options, Int(first >> 4) + 1)
  expect(whole == parts, "different result in chunks: \(whole), \(parts)")
  guard whole.error == nil else {
    let offset = whole.error?.position.byteOffset ?? -1
    expect((0...text.count).contains(offset), "an error has no valid position: \(whole)")
    return
  }
  // The text written from the events produces the same events.
  let again = events(whole.written, JSONReadingOptions(mode: .lines, duplicateKeys: .reported), nil)
  expect(
    again.written == whole.written,
    "the written text is parsed as different events: \(whole), \(again)")
  guard options.mode == .single else { return }
  expect(
    (try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)) != nil
      || text.contains { $0 | 0x20 == 0x65 } || text.count > 300, "Foundation rejects the text")
}

private struct Outcome: Equatable {
  var written: [UInt8] = []
  var error: JSONFailure?
}

/// Parses a text and writes its events.
private func events(_ text: [UInt8], _ options: JSONReadingOptions, _ chunk: Int?) -> Outcome {
  let byteSink = ByteSink()
  var writer = JSONProvider.EventWriter(.lines) { byteSink.bytes += $0 }
  var reader = JSONEventReader(options)
  var window = Window(text, chunk)
  do {
    while true {
      reader.isComplete = window.isComplete
      let bytes = text.span.extracting(window.from..<window.to)
      let event = try reader.next(in: bytes)
      if reader.key >= 0 { try writer.key(reader.keys[reader.key]) }
      switch event {
      case .end:
        try writer.finish()
        return Outcome(written: byteSink.bytes)
      case .incomplete:
        let count = reader.position
        reader.discard(count, in: bytes)
        window.move(count)
      case .beginObject: try writer.beginObject()
      case .beginArray: try writer.beginArray()
      case .endObject: try writer.endObject()
      case .endArray: try writer.endArray()
      case .string:
        try reader.withText(in: bytes) { (text) throws in try writer.string(utf8: text) }
      case .integer: try writer.integer(reader.integer)
      case .double: try writer.double(reader.double)
      case .number: try writer.raw(bytes.extracting(reader.range))
      case .bool: try writer.bool(reader.bool)
      case .null: try writer.null()
      }
    }
  } catch {
    return Outcome(error: error as? JSONFailure)
  }
}
