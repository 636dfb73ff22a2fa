internal import Primitives

/// The layout of a JSON text, detected before it is read.
struct JSONPrologue {
  var kind: JSONProvider.Options.Layout
  /// The keys of the root object that were examined, if the root is one object.
  private(set) var keys: [String] = []
  /// A Boolean value that indicates whether the text contains no value.
  private(set) var isEmpty = false

  /// The minimum number of bytes to examine.
  private static let length = 1 << 16

  /// - Parameter window: A window at the beginning of the text. It is not advanced.
  /// - Throws: ``ProviderError`` if the text is not valid JSON.
  init(_ window: inout ByteWindow, _ options: JSONReadingOptions) throws {
    kind = .object
    while window.bytes.count < Self.length, !window.isAtEnd { try window.refill(dropping: 0) }
    var options = options
    options.mode = .concatenated
    options.duplicateKeys = .reported
    var reader = JSONEventReader(options)
    let first = try Self.next(&reader, &window)
    switch first {
    case .end: isEmpty = true
    case .beginObject:
      guard try readMembers(&reader, window.bytes.elementSpan) else { return }
    case .beginArray:
      kind = .array
      guard try reader.skippedContainer(in: window.bytes.elementSpan) != nil else { return }
    default: break
    }
    if first != .end, try Self.next(&reader, &window) != .end { kind = .lines }
  }

  private static func next(
    _ reader: inout JSONEventReader, _ window: inout ByteWindow
  ) throws -> JSONEvent {
    while true {
      reader.isComplete = window.isAtEnd
      let event = try reader.event(in: window.bytes.elementSpan)
      guard event == .incomplete else { return event }
      try window.refill(dropping: 0)
    }
  }

  /// - Returns: Whether the object was read to its end.
  private mutating func readMembers(
    _ reader: inout JSONEventReader, _ bytes: Span<UInt8>
  ) throws -> Bool {
    while true {
      let event = try reader.event(in: bytes)
      if event == .incomplete { return false }
      if event == .endObject { return true }
      let key = reader.keys[reader.key]
      keys.append(key)
      if key == "holt", event == .beginObject {
        let member = try reader.event(in: bytes)
        if member == .incomplete { return false }
        if member != .endObject, reader.keys[reader.key] == "version" {
          kind = .database
          return false
        }
        guard try rest(&reader, bytes, from: member) else { return false }
      } else if event == .beginObject || event == .beginArray {
        guard try reader.skippedContainer(in: bytes) != nil else { return false }
      }
    }
  }

  /// Skips the rest of the object whose first member has begun.
  private func rest(
    _ reader: inout JSONEventReader, _ bytes: Span<UInt8>, from first: JSONEvent
  ) throws -> Bool {
    var event = first
    while reader.depth > 1 {
      if event == .incomplete { return false }
      if event == .beginObject || event == .beginArray {
        guard try reader.skippedContainer(in: bytes) != nil else { return false }
      }
      event = try reader.event(in: bytes)
    }
    return true
  }
}

extension JSONProvider {
  /// The formatting of a JSON text, which is preserved when it is written.
  @_spi(Formats) public struct Formatting: Hashable, Sendable {
    /// The number of container levels, counted from the root, whose members and elements are on
    /// their own lines.
    var multilineDepth = 0
    var indentation: [UInt8] = [0x20, 0x20]
    var lineBreak: [UInt8] = [0x0A]
    var hasSpaceAfterColon = false
    var hasSpaceAfterComma = false
    var endsInLineBreak = false
    /// A Boolean value that indicates whether the text can have any number of root values.
    var isSequence = false

    public static let compact = Formatting()
    /// Each member and element on its own line, indented by two spaces.
    public static let pretty = Formatting(
      multilineDepth: .max, hasSpaceAfterColon: true, endsInLineBreak: true)
    /// Any number of values, each compact and on its own line.
    public static let lines = Formatting(endsInLineBreak: true, isSequence: true)
    /// The formatting of Holt's document layout: one line for each table and each row.
    static let database = rows(depth: 4)
    /// Any number of values, separated by a comma and a line break.
    static let separatedLines = Formatting(lineBreak: [0x2C, 0x0A], isSequence: true)

    /// Each element of the containers up to a depth on its own line, without indentation.
    static func rows(depth: Int) -> Formatting {
      Formatting(multilineDepth: depth, indentation: [], endsInLineBreak: true)
    }
  }
}

// Detection of the formatting at the beginning of a text.
extension JSONProvider.Formatting {
  init(of bytes: Span<UInt8>) {
    var scan = Scan()
    var at = 0
    let end = Swift.min(bytes.count, 1 << 16)
    while at < end {
      scan.consume(bytes, &at)
      at += 1
    }
    multilineDepth = scan.multilineDepth
    if let indentation = scan.indentation { self.indentation = indentation }
    if scan.hasCarriageReturn { lineBreak = [0x0D, 0x0A] }
    hasSpaceAfterColon = scan.hasSpaceAfterColon ?? false
    hasSpaceAfterComma = scan.hasSpaceAfterComma ?? false
  }

  private struct Scan {
    private var depth = 0
    /// The presence of line breaks after commas or opening brackets, for each depth counting from
    /// 1.
    private var breaks: [Bool?] = [nil]
    private(set) var indentation: [UInt8]?
    private(set) var hasCarriageReturn = false
    private(set) var hasSpaceAfterColon: Bool?
    private(set) var hasSpaceAfterComma: Bool?

    /// The number of outermost levels that have line breaks.
    var multilineDepth: Int {
      let known = breaks.dropFirst().prefix { $0 != nil }
      guard let first = known.firstIndex(where: { $0 == false }) else {
        return known.isEmpty ? 0 : .max
      }
      return first - 1
    }

    mutating func consume(_ bytes: Span<UInt8>, _ at: inout Int) {
      switch bytes[at] {
      case 0x22:
        at += 1
        while at < bytes.count, bytes[at] != 0x22 { at += bytes[at] == 0x5C ? 2 : 1 }
      case 0x7B, 0x5B:
        depth += 1
        if breaks.count <= depth { breaks.append(nil) }
        if isBroken(bytes, at + 1) {
          breaks[depth] = breaks[depth] ?? true
          indentation = indentation ?? space(bytes, at + 1)
        }
      case 0x7D, 0x5D: depth = Swift.max(0, depth - 1)
      case 0x2C where depth > 0:
        if isBroken(bytes, at + 1) {
          if breaks[depth] != false { breaks[depth] = true }
        } else {
          breaks[depth] = false
          hasSpaceAfterComma =
            hasSpaceAfterComma ?? (at + 1 < bytes.count && bytes[at + 1] == 0x20)
        }
      case 0x3A:
        hasSpaceAfterColon = hasSpaceAfterColon ?? (at + 1 < bytes.count && bytes[at + 1] == 0x20)
        // A container with a single member on the line of its bracket.
        if depth > 0, breaks[depth] == nil { breaks[depth] = false }
      default: break
      }
    }

    private mutating func isBroken(_ bytes: Span<UInt8>, _ start: Int) -> Bool {
      var at = start
      while at < bytes.count, bytes[at] <= 0x20 {
        if bytes[at] == 0x0A {
          if bytes[at - 1] == 0x0D { hasCarriageReturn = true }
          return true
        }
        at += 1
      }
      return false
    }

    /// Returns the white space between the first line break from `start` and the next token.
    private func space(_ bytes: Span<UInt8>, _ start: Int) -> [UInt8] {
      var space: [UInt8] = []
      var at = start
      var isAfterLineBreak = false
      while at < bytes.count, bytes[at] <= 0x20, space.count < 16 {
        if bytes[at] == 0x0A {
          isAfterLineBreak = true
          space = []
        } else if isAfterLineBreak {
          space.append(bytes[at])
        }
        at += 1
      }
      return space
    }
  }
}
