/// What Swift sources declare as public: types with their members, the labels of functions, and what conforms to what.
///
/// It reads declarations alone, and knows no types: enough to tell whether a name that a page tells of is there.
struct PublicNames {
  /// The label of a parameter, and whether a call may leave it out.
  struct Parameter: Hashable {
    var label: String
    var isOptional: Bool
  }

  struct Member: Hashable {
    var name: String
    /// `nil` of what is no function.
    var parameters: [Parameter]?
  }

  /// Members by the last part of their type's name; those of no type by an empty one.
  private(set) var members: [String: Set<Member>] = [:]
  /// What a type, by its last name, is or inherits from, or is another name of.
  private(set) var parents: [String: Set<String>] = [:]
  /// The types that are inside of another one, by the last part of that one's name; all others by an empty one.
  private(set) var types: [String: Set<String>] = [:]

  /// - Parameter aliases: Names for what generated code has, which is in no source.
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

  /// A type with all that it conforms to, and is another name of.
  private func family(of type: String) -> Set<String> {
    var pending = [type]
    var seen: Set<String> = []
    while let name = pending.popLast() {
      if seen.insert(name).inserted { pending += parents[name] ?? [] }
    }
    return seen
  }

  /// Whether a name, as a page writes it, is declared: `Type`, `@Wrapper`, `Type.member`, `Type(label:)`,
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

  /// Whether a call with these labels leaves out only what may be left out.
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

/// A name as a page writes it.
struct WrittenName {
  /// The parts between the dots.
  let path: [String]
  /// Whether it begins with one.
  let hasDot: Bool
  let labels: [String]?

  /// - Returns: `nil` for what is no name: a statement, say.
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
