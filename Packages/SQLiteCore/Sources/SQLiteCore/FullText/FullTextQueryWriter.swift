/// Writes a query in the syntax of FTS5.
///
/// An empty query is a syntax error there, so that a part that finds nothing is left out, or leaves out what it
/// is a part of.
struct FullTextQueryWriter {
  private(set) var text = ""

  /// Writes a query, and says whether anything can be found by it: if not, nothing is written.
  mutating func write(_ node: FullTextQuery.Node) -> Bool {
    switch node {
    case .terms(let terms): return write(list: terms)
    case .near(let terms, let distance):
      var inner = FullTextQueryWriter()
      guard inner.write(list: terms) else { return false }
      text += "NEAR(\(inner.text), \(distance))"
    case .all(let nodes):
      let parts = nodes.compactMap(Self.part)
      guard !parts.isEmpty, parts.count == nodes.count else { return false }
      text += parts.joined(separator: " AND ")
    case .any(let nodes):
      let parts = nodes.compactMap(Self.part)
      guard !parts.isEmpty else { return false }
      text += parts.joined(separator: " OR ")
    case .without(let wanted, let unwanted):
      guard let wanted = Self.part(wanted) else { return false }
      text += wanted
      if let unwanted = Self.part(unwanted) { text += " NOT \(unwanted)" }
    case .inColumns(let inner, let columns, let isExcluding):
      var part = FullTextQueryWriter()
      guard !columns.isEmpty, part.write(inner) else { return false }
      let names = columns.map(Self.quoted).joined(separator: " ")
      text += "\(isExcluding ? "- " : ""){\(names)} : (\(part.text))"
    case .raw(let raw): text += raw
    }
    return true
  }

  /// A query as a part of another one; `nil` where it finds nothing.
  private static func part(_ node: FullTextQuery.Node) -> String? {
    if case .any(let nodes) = node, nodes.count == 1 { return part(nodes[0]) }
    var writer = FullTextQueryWriter()
    guard writer.write(node) else { return nil }
    if case .terms(let terms) = node, terms.count == 1 { return writer.text }
    return "(\(writer.text))"
  }

  /// Terms side by side, each of which has to be there. One without a word in it asks for nothing.
  private mutating func write(list terms: [FullTextQuery.Term]) -> Bool {
    var isFirst = true
    for term in terms where !term.text.isEmpty {
      if !isFirst { text += " " }
      isFirst = false
      text += Self.quoted(term.text)
      if term.isPrefix { text += "*" }
    }
    return !isFirst
  }

  /// The text as one string of FTS5's.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""):
        bytes.append(byte)
        bytes.append(byte)
      // The query would end there.
      case 0: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }
}
