/// Reads the public declarations from the tokens of one source file.
struct DeclarationReader {
  let tokens: [String]
  private(set) var members: [(type: String, member: PublicNames.Member)] = []
  private(set) var parents: [(type: String, names: Set<String>)] = []
  private(set) var types: [(type: String, name: String)] = []

  private var place = 0
  /// The declarations of the open braces.
  private var scopes: [Scope] = []
  /// The declaration of the next brace.
  private var pending: Scope?

  private struct Scope {
    /// The type's name; `nil` if the scope is not a type, such as a function body.
    var type: String?
    /// A Boolean value that indicates whether members are public by default.
    var isPublic = false
    var isEnum = false
  }

  init(tokens: [String]) { self.tokens = tokens }

  private static let modifiers: Set<String> = [
    "static", "final", "class", "mutating", "nonmutating", "override", "convenience", "required",
    "nonisolated", "borrowing", "consuming", "indirect", "lazy", "weak", "unowned", "sending",
    "public", "open", "package", "internal", "private", "fileprivate", "unsafe", "prefix", "infix",
    "postfix", "dynamic", "optional",
  ]

  mutating func read() {
    while place < tokens.count {
      let token = tokens[place]
      place += 1
      switch token {
      case "{":
        scopes.append(pending ?? Scope())
        pending = nil
      case "}": _ = scopes.popLast()
      case _ where scopes.last.map({ $0.type == nil }) ?? false: break
      case "import": place += 1  // for `import struct Module.Type`
      case "struct", "enum", "protocol", "actor", "extension", "class": readType(token)
      case "func": readFunction()
      case "init", "subscript": addFunction(token)
      case "var", "let": addProperty()
      case "case": readCases()
      case "typealias", "associatedtype": readAlias()
      case "macro": if let name = word { types.append((type, name)) }
      default: break
      }
    }
  }

  private var word: String? { place < tokens.count ? tokens[place] : nil }
  private var type: String { scopes.last?.type ?? "" }

  /// A Boolean value that indicates whether the declaration of the last keyword is public.
  private var isPublic: Bool {
    var index = place - 2
    var isPublic = scopes.last?.isPublic ?? false
    while index >= 0 {
      let token = tokens[index]
      if token == ")" {
        var depth = 1
        while depth > 0, index > 0 {
          index -= 1
          if tokens[index] == ")" { depth += 1 } else if tokens[index] == "(" { depth -= 1 }
        }
      } else if index > 0, tokens[index - 1] == "@" {
        index -= 1
      } else if Self.modifiers.contains(token) {
        if token == "public" || token == "open" { isPublic = true }
        if ["private", "fileprivate", "internal", "package"].contains(token),
          tokens[index + 1] != "("
        {
          return false
        }
      } else {
        break
      }
      index -= 1
    }
    return isPublic
  }

  private mutating func readType(_ keyword: String) {
    // `class func`, and the old spelling of `AnyObject`.
    guard let first = word, !Self.modifiers.contains(first), first != "func", first != "var",
      first.utf8.first.map(SwiftTokens.isWord) == true, tokens[max(place - 2, 0)] != "."
    else { return }
    let isPublic = isPublic
    place += 1
    var name = first
    while word == ".", place + 1 < tokens.count {
      name = tokens[place + 1]
      place += 2
    }
    var names: Set<String> = []
    var depth = 0
    var isInherited = false
    while let token = word, token != "{" {
      if token == "<" { depth += 1 } else if token == ">" { depth -= 1 }
      if token == ":", depth == 0 { isInherited = true }
      if token == "where" { isInherited = false }
      if isInherited, depth == 0, token.utf8.first.map(SwiftTokens.isWord) == true {
        names.insert(token)
      }
      place += 1
    }
    parents.append((name, names))
    if keyword != "extension", isPublic { types.append((type, name)) }
    let inside =
      switch keyword {
      case "protocol", "enum", "extension": isPublic
      default: false
      }
    pending = Scope(
      type: name, isPublic: inside && keyword != "enum", isEnum: keyword == "enum" && isPublic)
  }

  private mutating func readFunction() {
    guard let name = word else { return }
    let isPublic = isPublic
    place += 1
    // Operators have no name to read.
    guard name.utf8.first.map(SwiftTokens.isWord) == true else { return }
    addFunction(name, isPublic: isPublic)
  }

  private mutating func addFunction(_ name: String, isPublic: Bool? = nil) {
    // `self.init(…)` is not a declaration, nor is any other token after a dot.
    if isPublic == nil, place > 1, tokens[place - 2] == "." { return }
    let isPublic = isPublic ?? self.isPublic
    if word == "?" || word == "!" { place += 1 }
    if word == "<" { skipAngles() }
    guard word == "(" else { return }
    let parameters = readParameters()
    if isPublic { members.append((type, .init(name: name, parameters: parameters))) }
  }

  private mutating func addProperty() {
    guard let name = word, name.utf8.first.map(SwiftTokens.isWord) == true else { return }
    if isPublic { members.append((type, .init(name: name, parameters: nil))) }
  }

  private mutating func readCases() {
    guard let scope = scopes.last, scope.isEnum else { return }
    while let name = word, name.utf8.first.map(SwiftTokens.isWord) == true {
      place += 1
      let parameters = word == "(" ? readParameters() : nil
      members.append((type, .init(name: name, parameters: parameters)))
      if word == "=" { place += 2 }
      guard word == "," else { return }
      place += 1
    }
  }

  private mutating func readAlias() {
    guard let name = word, isPublic else { return }
    place += 1
    types.append((type, name))
    if word == "<" { skipAngles() }
    guard word == "=" else { return }
    place += 1
    var target = word ?? ""
    while place + 2 < tokens.count, tokens[place + 1] == "." {
      target = tokens[place + 2]
      place += 2
    }
    parents.append((name, [target]))
  }

  private mutating func skipAngles() {
    var depth = 0
    repeat {
      if word == "<" { depth += 1 } else if word == ">" { depth -= 1 }
      place += 1
    } while depth > 0 && place < tokens.count
  }

  /// Reads the parameters in the following parentheses.
  private mutating func readParameters() -> [PublicNames.Parameter] {
    var parameters: [PublicNames.Parameter] = []
    var current: [String] = []
    var depth = 0
    func finish() {
      var words = current[...]
      while words.first == "@" { words = words.dropFirst(2) }
      guard let first = words.first else { return }
      // Associated values of enum cases may have no label.
      let label = words.prefix(3).dropFirst().contains(":") ? first : "_"
      let isOptional =
        current.contains("=") || current.contains("repeat") || current.suffix(3) == [".", ".", "."]
      parameters.append(.init(label: label, isOptional: isOptional))
    }
    while let token = word {
      place += 1
      switch token {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", ">", "}": depth -= 1
      default: break
      }
      if depth == 0 { break }
      if depth == 1, token == "," {
        finish()
        current = []
      } else if depth > 1 || token != "(" {
        current.append(token)
      }
    }
    finish()
    return parameters
  }
}
