/// A text that is compared by its bytes: Swift's `==` also finds texts equal that differ in SQL.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }
}
