extension SwiftCode {
  /// An import declaration, by the top-level module.
  struct Import: Equatable {
    let module: String
    let line: Int
  }

  /// The keywords that are allowed between `import` and the module's name.
  private static let kinds: Set<String> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor",
  ]

  /// The imports of the file, in order.
  var imports: [Import] {
    words.indices.compactMap { index in
      // After a dot or inside backticks, `import` is a name.
      guard words[index].text == "import", words[index].before != UInt8(ascii: "."),
        words[index].before != UInt8(ascii: "`")
      else { return nil }
      var next = index + 1
      if next + 1 < words.count, Self.kinds.contains(words[next].text) { next += 1 }
      guard next < words.count else { return nil }
      return Import(module: words[next].text, line: words[index].line)
    }
  }
}
