/// A string that is compared by its bytes. Swift's `==` also treats canonically equivalent strings as
/// equal, which differ in SQL.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: ExactText, b: ExactText) -> Bool { a.text.hasSameBytes(as: b.text) }
}
