/// How a text is spaced, so that it is written as it was.
struct JSONSpelling: Hashable, Sendable {
  /// Containers down to this depth, the outermost being 1, have each member and element in a line of its own.
  var brokenDepth = 0
  var indentation: [UInt8] = [0x20, 0x20]
  var lineBreak: [UInt8] = [0x0A]
  var hasSpaceBehindColon = false
  var hasSpaceBehindComma = false
  var endsInLineBreak = false

  static let compact = JSONSpelling()
  static let pretty = JSONSpelling(
    brokenDepth: .max, hasSpaceBehindColon: true, endsInLineBreak: true)
  /// Of Holt's own layout: a line for each table, and for each row.
  static let database = JSONSpelling(brokenDepth: 4, indentation: [], endsInLineBreak: true)
}

// What a text shows at its beginning.
extension JSONSpelling {
  init(of bytes: Span<UInt8>) {
    var scan = Scan()
    var at = 0
    let end = Swift.min(bytes.count, 1 << 16)
    while at < end {
      scan.take(bytes, &at)
      at += 1
    }
    brokenDepth = scan.brokenDepth
    if let indentation = scan.indentation { self.indentation = indentation }
    if scan.hasCarriageReturn { lineBreak = [0x0D, 0x0A] }
    hasSpaceBehindColon = scan.hasSpaceBehindColon ?? false
    hasSpaceBehindComma = scan.hasSpaceBehindComma ?? false
  }

  private struct Scan {
    private var depth = 0
    /// Whether containers of a depth, from 1, have line breaks behind commas or at their beginning.
    private var breaks: [Bool?] = [nil]
    private(set) var indentation: [UInt8]?
    private(set) var hasCarriageReturn = false
    private(set) var hasSpaceBehindColon: Bool?
    private(set) var hasSpaceBehindComma: Bool?

    /// As deep as all containers are broken.
    var brokenDepth: Int {
      let known = breaks.dropFirst().prefix { $0 != nil }
      guard let first = known.firstIndex(where: { $0 == false }) else {
        return known.isEmpty ? 0 : .max
      }
      return first - 1
    }

    mutating func take(_ bytes: Span<UInt8>, _ at: inout Int) {
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
          hasSpaceBehindComma =
            hasSpaceBehindComma ?? (at + 1 < bytes.count && bytes[at + 1] == 0x20)
        }
      case 0x3A:
        hasSpaceBehindColon = hasSpaceBehindColon ?? (at + 1 < bytes.count && bytes[at + 1] == 0x20)
        // A container with one member alone that stands behind its bracket.
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

    /// What stands between the first line break from `start` and the next token.
    private func space(_ bytes: Span<UInt8>, _ start: Int) -> [UInt8] {
      var space: [UInt8] = []
      var at = start
      var isBehindBreak = false
      while at < bytes.count, bytes[at] <= 0x20, space.count < 16 {
        if bytes[at] == 0x0A {
          isBehindBreak = true
          space = []
        } else if isBehindBreak {
          space.append(bytes[at])
        }
        at += 1
      }
      return space
    }
  }
}
