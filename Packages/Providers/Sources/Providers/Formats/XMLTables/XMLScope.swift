/// The namespaces that are declared where a document is written.
struct XMLScope {
  private var declarations: [XMLShape.Declaration] = []
  private var counts: [Int] = []

  func namespace(of prefix: String?) -> String? {
    declarations.last { $0.prefix.isExactly(prefix) }?.namespace
  }

  /// All that are declared, once each.
  var current: [XMLShape.Declaration] {
    declarations.indices.filter { index in
      !declarations[(index + 1)...].contains { $0.prefix.isExactly(declarations[index].prefix) }
    }.map { declarations[$0] }
  }

  mutating func open() { counts.append(0) }

  mutating func close() { declarations.removeLast(counts.removeLast()) }

  /// Declares a namespace in the element that was begun last, unless it is.
  mutating func declare(
    _ declaration: XMLShape.Declaration, in writer: inout XMLEventWriter
  ) throws {
    let known = namespace(of: declaration.prefix)
    guard !known.isExactly(declaration.namespace) else { return }
    if known == nil, declaration.prefix == nil, declaration.namespace.isEmpty { return }
    try writer.declare(prefix: declaration.prefix, namespace: declaration.namespace)
    declarations.append(declaration)
    counts[counts.count - 1] += 1
  }

  /// Declares the namespace of a name, unless it is.
  mutating func declare(
    _ name: XMLShape.Name, isAttribute: Bool, in writer: inout XMLEventWriter
  ) throws {
    if name.prefix == "xml" || isAttribute && name.prefix == nil { return }
    guard name.prefix == nil || name.namespace != nil else { return }
    try declare(
      XMLShape.Declaration(prefix: name.prefix, namespace: name.namespace ?? ""), in: &writer)
  }
}
