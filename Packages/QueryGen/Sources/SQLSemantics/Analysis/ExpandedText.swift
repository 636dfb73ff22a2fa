internal import SQLSyntax

/// A statement's text in which some spans are replaced.
struct ExpandedText {
  private(set) var text: String
  private let start: Int
  /// The ends of the replaced spans in order, each with the growth of the text up to it.
  private var changes: [(end: Int, growth: Int)] = []

  /// - Parameter replacements: The replacements, by spans that do not overlap. Spans outside of the
  ///   statement are ignored.
  init(_ span: ByteSpan, of source: SourceText, replacing replacements: [ByteSpan: String] = [:]) {
    start = span.start.value
    text = ""
    var end = span.start
    var growth = 0
    for (replaced, new) in replacements.sorted(by: { $0.key.start < $1.key.start })
    where replaced.start >= end && replaced.end <= span.end {
      text += source[ByteSpan(end, replaced.start)] + new
      end = replaced.end
      growth += new.utf8.count - replaced.count
      changes.append((end.value, growth))
    }
    text += source[ByteSpan(end, span.end)]
  }

  /// Returns the range of bytes in the text to which a span of the source corresponds. The span must
  /// not begin or end inside of a replaced span.
  func range(of span: ByteSpan) -> Range<Int> {
    position(of: span.start)..<position(of: span.end)
  }

  private func position(of offset: ByteOffset) -> Int {
    offset.value - start + (changes.last { $0.end <= offset.value }?.growth ?? 0)
  }
}
