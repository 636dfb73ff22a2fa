import Testing

@testable import SPON

/// The parts of events that are read without creating their values.
@Suite struct `The parts of an event` {
  /// Reads a text's events as ``SPONEventReader/next()`` does, from their parts.
  private func events(
    _ bytes: [UInt8], _ rules: SPONValue.Rules
  ) -> Outcome<[SPONEventReader.Event]> {
    Outcome { () throws(SPONError) in
      var reader = SPONEventReader(rules: rules)
      reader.append(bytes)
      reader.finish()
      var events: [SPONEventReader.Event] = []
      while let type = try reader.advance() {
        var name = ""
        reader.withTypeName { name = text($0) }
        let kind: SPONEventReader.Event.Kind =
          switch type {
          case .beginObject: .beginObject(typeName: name)
          case .beginArray: .beginArray
          case .endObject: .endObject
          case .endArray: .endArray
          default: .scalar(value(type, reader))
          }
        var key = reader.event.key
        if case .key = key, type != .endObject, type != .endArray {
          reader.withKey { key = .key(text($0)) }
        }
        events.append(SPONEventReader.Event(kind, key: key, depth: reader.depth))
      }
      return events
    }
  }

  private func value(_ type: SPONEventReader.EventType, _ reader: SPONEventReader) -> SPONValue {
    var content = ""
    switch type {
    case .null: return .null
    case .bool: return .bool(reader.bool)
    case .integer: return .integer(reader.integer)
    case .float: return .float(reader.float)
    case .double: return .double(reader.double)
    case .string:
      reader.withText { content = text($0) }
      return .string(content)
    case .opaque:
      reader.withText { content = text($0) }
      return .opaque(content)
    default: return reader.value
    }
  }

  private func text(_ bytes: Span<UInt8>) -> String {
    var copy: [UInt8] = []
    for index in bytes.indices { copy.append(bytes[index]) }
    return String(decoding: copy, as: UTF8.self)
  }

  @Test func `are those of the event`() {
    for document in StreamCases.all + [Array(StreamCases.store.utf8)] {
      for rules in StreamCases.rules(for: document) {
        let expected = Outcome { () throws(SPONError) in
          var reader = SPONEventReader(rules: rules)
          reader.append(document)
          reader.finish()
          var events: [SPONEventReader.Event] = []
          while let event = try reader.next() { events.append(event) }
          return events
        }
        #expect(events(document, rules) == expected)
      }
    }
  }

  /// A pair that arrives whole is read on a fast path, and byte by byte on the general one.
  @Test(arguments: [" ", "\n  ", "\t", "\r\n"])
  func `are the same for any white space between pairs`(_ space: String) {
    let pairs = ["a!=`1`", "b$=`text`", "c&=`1.5`", "d%=`true`", "e$=`é`", "f!=`x`", "g=@array[]"]
    for last in pairs {
      let text = "@obj<\(space)a!=`-1`\(space)\(last)\(space)>"
      let bytes = Array(text.utf8)
      #expect(Outcome.events(bytes.single) == Outcome.events([bytes[...]]))
      #expect(Outcome.whole(bytes) == Outcome.events(bytes.single))
    }
    let position = SPONError.Position(byteOffset: 11, line: 1, column: 12)
    #expect(
      Outcome.whole(Array("@obj<a!=`1`b!=`2`>".utf8)).isFailure(
        at: position, code: .unexpectedText))
  }
}
