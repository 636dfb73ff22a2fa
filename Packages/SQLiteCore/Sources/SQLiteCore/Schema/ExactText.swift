/// A text that is equal to one of the same bytes alone: Swift holds texts equal that SQL tells apart.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }
}
