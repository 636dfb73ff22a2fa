internal import SQLSyntax

/// What SQLite's own modules refuse when a virtual table is made.
extension Resolver {
  mutating func checkOptions(of node: CreateVirtualTable) {
    let arguments = (node.arguments ?? []).filter { !$0.text.isEmpty }
    switch NameKey(node.module.text) {
    case "fts5":
      for argument in arguments {
        guard let option = ModuleOption(argument.text) else { continue }
        // FTS5 takes any beginning of an option's name for it.
        let known = ["prefix", "tokenize", "content", "content_rowid", "columnsize", "detail"]
        if !known.contains(where: { $0.hasPrefix(option.key) }) {
          refuse(argument, "unrecognized option: \"\(option.key)\"")
        } else if option.key == "tokenize" {
          checkTokenizer(option, argument, ["unicode61", "ascii", "porter", "trigram"])
        }
      }
    case "fts4":
      var hasTokenizer = false
      for argument in arguments {
        guard let option = ModuleOption(argument.text) else { continue }
        let known: Set<String> = [
          "matchinfo", "prefix", "compress", "uncompress", "order", "content", "languageid",
          "notindexed",
        ]
        if option.key == "tokenize", !hasTokenizer {
          hasTokenizer = true
          checkTokenizer(option, argument, ["simple", "porter", "unicode61"])
        } else if !known.contains(option.key) {
          refuse(argument, "unrecognized parameter: \(argument.text)")
        }
      }
    case "rtree", "rtree_i32":
      let coordinates = arguments.count { !$0.text.hasPrefix("+") } - 1
      if coordinates < 2 {
        report(.invalidDefinition, at: node.span, "Too few columns for an rtree table")
      } else if coordinates > 10 {
        report(.invalidDefinition, at: node.span, "Too many columns for an rtree table")
      } else if coordinates % 2 == 1 {
        report(.invalidDefinition, at: node.span, "Wrong number of columns for an rtree table")
      }
    default: break
    }
  }

  private mutating func refuse(_ argument: ModuleArgument, _ message: String) {
    report(.invalidDefinition, at: argument.span, message)
  }

  private mutating func checkTokenizer(
    _ option: ModuleOption, _ argument: ModuleArgument, _ known: Set<String>
  ) {
    let name = String(option.value.prefix { !$0.isWhitespace })
    if !known.contains(NameKey(name).folded) {
      refuse(argument, "no such tokenizer: \(name)")
    }
  }
}

/// `key = value` among the arguments of a module.
private struct ModuleOption {
  let key: String
  /// The value without its quotes.
  let value: String

  init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let key = text[..<equals].filter { !$0.isWhitespace }
    guard !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else {
      return nil
    }
    self.key = NameKey(key).folded
    var value = text[text.index(after: equals)...].drop { $0.isWhitespace }
    if let first = value.first, "\"'`[".contains(first) {
      value = value.dropFirst().prefix { $0 != (first == "[" ? "]" : first) }
      value = value.drop { $0.isWhitespace }
    }
    // A tokenizer's name may stand in quotes of its own: `tokenize = "'porter' ascii"`.
    self.value = value.filter { $0 != "'" && $0 != "\"" }
  }
}
