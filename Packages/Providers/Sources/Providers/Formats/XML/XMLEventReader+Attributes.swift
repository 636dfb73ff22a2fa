internal import Primitives

extension XMLEventReader {
  /// The number of the start element's attributes, not including namespace declarations.
  public var attributeCount: Int { currentAttributes.count }

  /// Returns an attribute's name, in document order.
  public func attributeName(at index: Int) -> Name {
    name(ofEntry: attribute(index).name)
  }

  /// Returns an attribute's prefix.
  public func attributePrefix(at index: Int) -> String? {
    entry(attribute(index).name).prefix
  }

  /// Calls `body` with an attribute's value in UTF-8, without copying it.
  public func withAttribute<Result: ~Copyable, Failure: Error>(
    at index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBytes(attribute(index).value, body)
  }

  /// Returns an attribute's value.
  public func attribute(at index: Int) -> String { string(attribute(index).value) }

  /// Returns the index of an attribute of the start element; `nil` if the element has no such
  /// attribute.
  public func attributeIndex(of name: Name) -> Int? {
    for index in 0..<attributeCount where attributeName(at: index) == name { return index }
    return nil
  }

  /// Returns an attribute's value; `nil` if the start element has no such attribute.
  public func attribute(_ name: Name) -> String? {
    attributeIndex(of: name).map { attribute(at: $0) }
  }

  /// The namespaces that the start element declares. A `nil` prefix declares the default namespace,
  /// and an empty namespace removes it.
  public var namespaces: [(prefix: String?, namespace: String)] {
    currentNamespaces.map { declared in
      let prefix = entry(declared.prefix).local
      return (prefix.isEmpty ? nil : prefix, entry(declared.uri).local)
    }
  }
}

extension XMLEventReader {
  /// The prefix of the current event's name.
  public var prefix: String? { currentName.flatMap { entry($0).prefix } }

  /// Returns the number of a name, which need not occur in the document. Compare it with the names
  /// of events.
  ///
  /// - Parameter namespace: The namespace URI, not the prefix; `nil` for names without a namespace.
  public func intern(_ local: String, namespace: String? = nil) -> Name {
    internName(local, namespace)
  }

  /// Returns the local part of a name.
  public func localName(of name: Name) -> String { entry(Int32(name.number)).local }

  /// Returns the namespace of a name.
  public func namespace(of name: Name) -> String? { entry(Int32(name.number)).namespace }

  /// Returns the name as written at its first occurrence, including the prefix.
  public func qualifiedName(of name: Name) -> String {
    let entry = entry(Int32(name.number))
    return entry.prefix.map { "\($0):\(entry.local)" } ?? entry.local
  }
}
