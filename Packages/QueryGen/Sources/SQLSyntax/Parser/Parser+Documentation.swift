extension Parser {
  /// The lines of the comments directly above the token at `first`, without their markers.
  ///
  /// Comments belong when nothing but single line ends lies between them and the token; one that
  /// shares its line with the end of the statement before does not.
  func documentation(before first: Int) -> [String] {
    documentation(
      above: tokens[first].span.start, after: first > 0 ? tokens[first - 1].span.end : nil)
  }

  /// The lines of the comments directly above `offset`, none of which begins before `limit`.
  func documentation(above offset: ByteOffset, after limit: ByteOffset?) -> [String] {
    var lines: [[String]] = []
    var next = offset
    let earliest = limit.map { lineEnd(in: ByteSpan($0, offset)) } ?? ByteOffset(0)
    for index in commentIndices(from: limit, to: offset).reversed() {
      let comment = comments[index]
      guard lineEnds(in: ByteSpan(comment.end, next)) <= 1 else { break }
      if comment.start < earliest || isQueryHeader(comment) { break }
      lines.append(source.commentLines(comment))
      next = comment.start
    }
    return lines.reversed().flatMap(\.self)
  }

  /// The comments between two places.
  func commentIndices(from start: ByteOffset?, to end: ByteOffset) -> Range<Int> {
    func firstIndex(notBefore offset: ByteOffset) -> Int {
      var low = 0
      var high = comments.count
      while low < high {
        let middle = (low + high) / 2
        if comments[middle].start < offset { low = middle + 1 } else { high = middle }
      }
      return low
    }
    let upper = firstIndex(notBefore: end)
    return min(start.map(firstIndex(notBefore:)) ?? 0, upper)..<upper
  }

  /// The first line end in a span; the span's end where there is none.
  private func lineEnd(in span: ByteSpan) -> ByteOffset {
    let newline = span.range.first { source.bytes[$0] == UInt8(ascii: "\n") }
    return newline.map { ByteOffset($0) } ?? span.end
  }

  /// The number of line ends in a span; it stops counting at two.
  private func lineEnds(in span: ByteSpan) -> Int {
    var count = 0
    for index in span.range where source.bytes[index] == UInt8(ascii: "\n") {
      count += 1
      if count == 2 { break }
    }
    return count
  }
}
