internal import SQLSyntax

/// Parameters that were written inside of string literals.
extension Resolver {
  /// Warns about a parameter in the pattern of `LIKE`, such as `'%:name%'`.
  mutating func checkParameters(inPatternOf node: MatchExpression) {
    guard case .literal(let literal) = node.pattern.unparenthesized, case .string = literal.value
    else { return }
    checkParameters(in: literal, allowsWildcards: true, allowsBareParameter: node.op == .like)
  }

  /// Warns about a parameter in quotes that is compared with a value: `x = ':name'`.
  mutating func checkQuotedParameter(_ expression: Expression) {
    guard case .literal(let literal) = expression, case .string = literal.value else { return }
    checkParameters(in: literal, allowsWildcards: false, allowsBareParameter: false)
  }

  private mutating func checkParameters(
    in literal: LiteralExpression, allowsWildcards: Bool, allowsBareParameter: Bool
  ) {
    // Definitions have no parameters.
    guard parameterErrorMessage == nil, viewsInProgress.isEmpty else { return }
    let text = StringWithParameters(
      Array(source.bytes[literal.span.range].dropFirst().dropLast()),
      allowsBareParameter: allowsBareParameter)
    guard let first = text.parameters.first, allowsWildcards || text.isOnlyParameter else { return }
    warn(
      .parameterInString, at: literal.span,
      "`\(first)` in quotes is text, not a parameter; use `\(text.concatenation)`",
      fixIt: Diagnostic.FixIt(replace: literal.span, with: text.concatenation))
  }
}

/// The contents of a string literal, divided into text and what looks like parameters.
private struct StringWithParameters {
  private enum Piece {
    case text([UInt8])
    case parameter([UInt8])
  }

  private var pieces: [Piece] = []

  /// - Parameters:
  ///   - bytes: The literal without its quotes. Quotes in the text are still doubled.
  ///   - allowsBareParameter: Whether a `?` that is the whole text except for wildcards is a
  ///     parameter.
  init(_ bytes: [UInt8], allowsBareParameter: Bool) {
    var text: [UInt8] = []
    var position = 0
    while position < bytes.count {
      let end =
        Self.endOfName(at: position, in: bytes)
        ?? (allowsBareParameter ? Self.endOfBareParameter(at: position, in: bytes) : nil)
      if let end {
        if !text.isEmpty { pieces.append(.text(text)) }
        text = []
        pieces.append(.parameter(Array(bytes[position..<end])))
        position = end
      } else {
        text.append(bytes[position])
        position += 1
      }
    }
    if !text.isEmpty { pieces.append(.text(text)) }
  }

  /// The parameters, with their first characters.
  var parameters: [String] {
    pieces.compactMap { piece in
      if case .parameter(let bytes) = piece { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
  }

  var isOnlyParameter: Bool { pieces.count == 1 && parameters.count == 1 }

  /// The expression that the author probably wanted: `'%' || :name || '%'`.
  var concatenation: String {
    pieces.map { piece in
      switch piece {
      case .text(let bytes): "'\(String(decoding: bytes, as: UTF8.self))'"
      case .parameter(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    }.joined(separator: " || ")
  }

  /// Returns the end of the parameter `:name` at a position. The colons of `https:`, `12:30`, `::x`
  /// and `:x:` begin no parameter. `@name` doesn't count, because it looks like a part of an address.
  private static func endOfName(at position: Int, in bytes: [UInt8]) -> Int? {
    let colon = UInt8(ascii: ":")
    guard bytes[position] == colon, position + 1 < bytes.count, isLetter(bytes[position + 1])
    else { return nil }
    if position > 0 {
      let previous = bytes[position - 1]
      guard previous != colon, previous == UInt8(ascii: "_") || !isWord(previous) else {
        return nil
      }
    }
    var end = position + 1
    while end < bytes.count, isWord(bytes[end]) { end += 1 }
    return end < bytes.count && bytes[end] == colon ? nil : end
  }

  /// Returns the end of a `?` or `?1` at a position if nothing but wildcards surrounds it. A pattern
  /// that ends in `?` may be meant literally.
  private static func endOfBareParameter(at position: Int, in bytes: [UInt8]) -> Int? {
    func isWildcard(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "%") }
    guard bytes[position] == UInt8(ascii: "?"), bytes.last.map(isWildcard) == true,
      bytes[..<position].allSatisfy(isWildcard)
    else { return nil }
    let end = bytes[(position + 1)...].firstIndex { !($0 >= 0x30 && $0 <= 0x39) } ?? bytes.count
    return bytes[end...].allSatisfy(isWildcard) ? end : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
