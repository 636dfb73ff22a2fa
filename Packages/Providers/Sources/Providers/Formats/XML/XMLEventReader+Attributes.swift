internal import Primitives

extension XMLEventReader {
  /// How many attributes the element has that starts here; declarations of namespaces are none.
  public var attributeCount: Int { currentAttributes.count }

  /// The name of an attribute, in the order of the document.
  public func attributeName(at index: Int) -> Name {
    name(ofEntry: attribute(index).name)
  }

  /// The prefix of an attribute.
  public func attributePrefix(at index: Int) -> String? {
    entry(attribute(index).name).prefix
  }

  /// Lends the value of an attribute as UTF-8. Nothing is copied.
  public func withAttribute<Result: ~Copyable, Failure: Error>(
    at index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withBytes(attribute(index).value, body)
  }

  /// The value of an attribute.
  public func attribute(at index: Int) -> String { string(attribute(index).value) }

  /// The place of an attribute among those of the element that starts here; `nil` where it has none of
  /// this name.
  public func attributeIndex(of name: Name) -> Int? {
    for index in 0..<attributeCount where attributeName(at: index) == name { return index }
    return nil
  }

  /// The value of an attribute; `nil` where the element that starts here has none of this name.
  public func attribute(_ name: Name) -> String? {
    attributeIndex(of: name).map { attribute(at: $0) }
  }

  /// The namespaces that the element declares that starts here: `nil` is the one without a prefix, and an
  /// empty one is none.
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

  /// The number of a name, which may occur later or never: compare it with the names of events.
  ///
  /// - Parameter namespace: The namespace itself, not its prefix; `nil` for names without one.
  public func intern(_ local: String, namespace: String? = nil) -> Name {
    internName(local, namespace)
  }

  /// The name without prefix and namespace.
  public func localName(of name: Name) -> String { entry(Int32(name.number)).local }

  /// The namespace of a name.
  public func namespace(of name: Name) -> String? { entry(Int32(name.number)).namespace }

  /// The name as it is written where it occurs first: with the prefix, if it has one.
  public func qualifiedName(of name: Name) -> String {
    let entry = entry(Int32(name.number))
    return entry.prefix.map { "\($0):\(entry.local)" } ?? entry.local
  }
}
