/// The public declarations of Swift sources: types with their members, function labels and conformances.
///
/// Only declarations are parsed, without type checking. This suffices to determine whether a name in a page exists.
struct PublicNames {
  /// A parameter's label, and whether a call may omit the parameter.
  struct Parameter: Hashable {
    var label: String
    var isOptional: Bool
  }

  struct Member: Hashable {
    var name: String
    /// The parameters; `nil` if the member is not a function.
    var parameters: [Parameter]?
  }

  /// The members by the last component of their type's name. Global declarations have an empty type name.
  private(set) var members: [String: Set<Member>] = [:]
  /// The protocols, superclasses and alias targets of types, by the last component of the type's name.
  private(set) var parents: [String: Set<String>] = [:]
  /// The nested types by the last component of the outer type's name. Top-level types have an empty outer name.
  private(set) var types: [String: Set<String>] = [:]

  /// - Parameter aliases: Substitutes for names in generated code, which is not part of the sources.
  init(aliases: [String: String] = [:]) {
    for (name, type) in aliases {
      types["", default: []].insert(name)
      parents[name] = [type]
    }
  }

  mutating func add(_ source: String) {
    var reader = DeclarationReader(tokens: SwiftTokens(source).all)
    reader.read()
    for (type, member) in reader.members { members[type, default: []].insert(member) }
    for (type, names) in reader.parents { parents[type, default: []].formUnion(names) }
    for (type, name) in reader.types { types[type, default: []].insert(name) }
  }

  /// Returns a type with all its conformances, superclasses and alias targets.
  private func family(of type: String) -> Set<String> {
    var pending = [type]
    var seen: Set<String> = []
    while let name = pending.popLast() {
      if seen.insert(name).inserted { pending += parents[name] ?? [] }
    }
    return seen
  }

  /// Returns whether a name is declared. Supported forms: `Type`, `@Wrapper`, `Type.member`, `Type(label:)`,
  /// `Type.function(_:label:)`, `function(label:)`, `.member`.
  func contains(_ written: String) -> Bool {
    guard let name = WrittenName(written) else { return false }
    let path = name.path
    guard let last = path.last else { return false }
    if let container = path.dropLast().last {
      guard types.values.contains(where: { $0.contains(container) }) else { return false }
      let isType = family(of: container).contains { types[$0]?.contains(last) == true }
      if isType, name.labels.map({ has("init", $0, in: last) }) ?? true { return true }
      return has(last, name.labels, in: container)
    }
    if !name.hasDot, types.values.contains(where: { $0.contains(last) }) {
      return name.labels.map { has("init", $0, in: last) } ?? true
    }
    return members.keys.contains { has(last, name.labels, in: $0) }
  }

  private func has(_ name: String, _ labels: [String]?, in type: String) -> Bool {
    family(of: type).flatMap { members[$0] ?? [] }.contains { member in
      guard member.name == name else { return false }
      guard let labels else { return true }
      return member.parameters.map { Self.accept($0[...], labels[...]) } ?? false
    }
  }

  /// Returns whether a call with these labels only omits optional parameters.
  private static func accept(
    _ parameters: ArraySlice<Parameter>, _ labels: ArraySlice<String>
  ) -> Bool {
    guard let parameter = parameters.first else { return labels.isEmpty }
    if parameter.label == labels.first, accept(parameters.dropFirst(), labels.dropFirst()) {
      return true
    }
    return parameter.isOptional && accept(parameters.dropFirst(), labels)
  }
}

/// A name in a page.
struct WrittenName {
  /// The components between the dots.
  let path: [String]
  /// A Boolean value that indicates whether the name starts with a dot.
  let hasDot: Bool
  let labels: [String]?

  /// - Returns: `nil` if the text is not a name, for example a statement.
  init?(_ text: String) {
    var text = Substring(text)
    if text.first == "@" { text = text.dropFirst() }
    hasDot = text.first == "."
    if hasDot { text = text.dropFirst() }
    var labels: [String]?
    if let open = text.firstIndex(of: "(") {
      guard text.last == ")" else { return nil }
      let inside = text[text.index(after: open)..<text.index(before: text.endIndex)]
      guard inside.isEmpty || inside.last == ":" else { return nil }
      labels = inside.split(separator: ":").map(String.init)
      text = text[..<open]
    }
    path = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.labels = labels
    let isName = (path + (labels ?? [])).allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy(SwiftTokens.isWord)
    }
    guard isName else { return nil }
  }
}
