import Foundation
import Primitives
import Testing

@_spi(Formats) @testable import Providers

/// The number of random cases.
enum FormatEffort {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all"

  static func count(_ count: Int) -> Int { isFull ? count * 100 : count }
}

/// Random strings, numbers and trees.
extension SeededRandom {
  mutating func text() -> String {
    let letters: [String] = [
      "a", "b", " ", "\"", "\\", "/", "\n", "\r", "\t", "\u{1}", "\u{1F}", "\u{7F}", "é", "я", "漢",
      "🎻",
      "\u{FFFF}", "\u{2028}", ",", ";", "'", "plain text", "0",
    ]
    return (0..<below(below(8) == 0 ? 40 : 6)).map { _ in letters[below(letters.count)] }.joined()
  }

  mutating func finite() -> Double {
    while true {
      let value =
        oneIn(2)
        ? Double(bitPattern: next()) : Double(Int64.random(in: -999...999, using: &self)) / 8
      if value.isFinite { return value }
    }
  }

  mutating func tree(_ depth: Int = 0) -> JSONTree {
    switch below(depth > 4 ? 6 : 9) {
    case 0: return .null
    case 1: return .bool(oneIn(2))
    case 2: return .integer(oneIn(2) ? Int64(below(100)) - 50 : Int64(bitPattern: next()))
    case 3: return .double(finite())
    case 4, 5: return .string(text())
    case 6, 7:
      var keys: Set<String> = []
      return .object(
        (0..<below(6)).compactMap { index in
          let key = oneIn(3) ? text() : "key\(index)"
          return keys.insert(key).inserted ? JSONMember(key, tree(depth + 1)) : nil
        })
    default: return .array((0..<below(6)).map { _ in tree(depth + 1) })
    }
  }
}

struct JSONMember: Equatable, Sendable {
  let key: String
  let value: JSONTree

  init(_ key: String, _ value: JSONTree) {
    self.key = key
    self.value = value
  }
}

indirect enum JSONTree: Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// Digits that are preserved.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([JSONMember])

  /// Returns the values of a text.
  static func all(
    _ text: [UInt8], _ options: JSONReadingOptions = .init(), chunk: Int? = nil
  ) throws -> [JSONTree] {
    var source = JSONChunks(text, options, chunk)
    var builder = JSONTreeBuilder()
    while try source.next({ builder.take($0, $1, $2) }) {}
    return builder.roots
  }

  static func one(_ text: String) throws -> JSONTree? { try all(Array(text.utf8)).first }

  func write(_ writer: inout JSONProvider.EventWriter) throws {
    switch self {
    case .null: try writer.null()
    case .bool(let value): try writer.bool(value)
    case .integer(let value): try writer.integer(value)
    case .double(let value): try writer.double(value)
    case .number(let digits): try writer.raw([UInt8](digits.utf8).elementSpan)
    case .string(let value): try writer.string(value)
    case .array(let elements):
      try writer.beginArray()
      for element in elements { try element.write(&writer) }
      try writer.endArray()
    case .object(let members):
      try writer.beginObject()
      for member in members {
        try writer.key(member.key)
        try member.value.write(&writer)
      }
      try writer.endObject()
    }
  }

  func bytes(_ style: JSONProvider.Formatting = .compact, pieceSize: Int = 64) throws
    -> [UInt8]
  {
    let pieces = Pieces()
    var writer = JSONProvider.EventWriter(style, pieceSize: pieceSize) { pieces.bytes += $0 }
    try write(&writer)
    try writer.finish()
    return pieces.bytes
  }
}

final class Pieces {
  var bytes: [UInt8] = []
}

/// The events of a text in one piece or in chunks.
struct JSONChunks {
  private var reader: JSONEventReader
  private let text: [UInt8]
  private var from = 0
  private var to: Int
  private let chunk: Int?

  init(_ text: [UInt8], _ options: JSONReadingOptions, _ chunk: Int?) {
    self.text = text
    self.chunk = chunk
    reader = JSONEventReader(options)
    to = chunk.map { Swift.min($0, text.count) } ?? text.count
    reader.isComplete = to == text.count
  }

  /// Passes on the next event; `false` at the end of the text.
  mutating func next(
    _ body: (JSONEvent, JSONEventReader, Span<UInt8>) -> Void
  ) throws -> Bool {
    let text = text
    while true {
      let bytes = text.elementSpan.extracting(from..<to)
      let event = try reader.event(in: bytes)
      if event == .incomplete {
        // The event is not a value.
        #expect(reader.key == -1)
        let read = reader.position
        reader.discard(read, in: bytes)
        from += read
        to = Swift.min(text.count, to + (chunk ?? 0))
        reader.isComplete = to == text.count
        continue
      }
      guard event != .end else { return false }
      body(event, reader, bytes)
      return true
    }
  }
}

struct JSONTreeBuilder {
  private(set) var roots: [JSONTree] = []
  private var open: [(key: String?, isObject: Bool, members: [JSONMember])] = []

  mutating func take(_ event: JSONEvent, _ reader: JSONEventReader, _ bytes: Span<UInt8>) {
    let key = reader.key < 0 ? nil : reader.keys[reader.key]
    switch event {
    case .beginObject: open.append((key, true, []))
    case .beginArray: open.append((key, false, []))
    case .endObject, .endArray:
      guard let (key, isObject, members) = open.popLast() else { return }
      put(isObject ? .object(members) : .array(members.map(\.value)), key)
    case .string: put(.string(reader.text(in: bytes)), key)
    case .integer: put(.integer(reader.integer), key)
    case .double: put(.double(reader.double), key)
    case .number: put(.number(reader.text(in: bytes)), key)
    case .bool: put(.bool(reader.bool), key)
    case .null: put(.null, key)
    case .end, .incomplete: break
    }
  }

  private mutating func put(_ value: JSONTree, _ key: String?) {
    if open.isEmpty {
      roots.append(value)
    } else {
      open[open.count - 1].members.append(JSONMember(key ?? "", value))
    }
  }
}
