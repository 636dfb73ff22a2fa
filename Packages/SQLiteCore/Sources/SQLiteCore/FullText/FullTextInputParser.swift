/// Parses user input.
///
/// The parser only interprets white space, double quotes, `-` and `or`; the table's tokenizer processes the rest.
enum FullTextInputParser {
  /// Returns the words, separated by white space, up to ``FullTextQuery/maximumWordCount``, and whether the text ends
  /// with each.
  static func words(_ text: String) -> [(text: String, isAtEnd: Bool)] {
    let scalars = text.unicodeScalars
    return scalars.split(
      maxSplits: FullTextQuery.maximumWordCount, whereSeparator: \.properties.isWhitespace
    ).prefix(FullTextQuery.maximumWordCount).map {
      (String($0), $0.endIndex == scalars.endIndex)
    }
  }

  /// The terms between two `or` operators.
  struct Group {
    var required: [String] = []
    var excluded: [String] = []

    var isEmpty: Bool { required.isEmpty && excluded.isEmpty }
  }

  /// Parses a search in the style of web searches.
  static func groups(_ text: String) -> [Group] {
    var groups = [Group()]
    for term in terms(text) {
      if !term.isPhrase, !term.isExcluded, term.text.lowercased() == "or" {
        if !groups[groups.count - 1].isEmpty { groups.append(Group()) }
      } else if term.isExcluded {
        groups[groups.count - 1].excluded.append(term.text)
      } else {
        groups[groups.count - 1].required.append(term.text)
      }
    }
    return groups
  }

  private struct Term {
    var text: String
    var isPhrase = false
    var isExcluded = false
  }

  private static func terms(_ text: String) -> [Term] {
    var terms: [Term] = []
    var rest = Substring(text).unicodeScalars
    while let first = rest.first, terms.count < FullTextQuery.maximumWordCount {
      if first.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      var term = Term(text: "")
      if first == "-", let next = rest.dropFirst().first, !next.properties.isWhitespace {
        term.isExcluded = true
        rest.removeFirst()
      }
      if rest.first == "\"" {
        term.isPhrase = true
        rest.removeFirst()
        let phrase = rest.prefix { $0 != "\"" }
        rest = rest[phrase.endIndex...].dropFirst()
        term.text = String(phrase)
      } else {
        let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
        rest = rest[word.endIndex...]
        term.text = String(word)
      }
      if !term.text.isEmpty { terms.append(term) }
    }
    return terms
  }
}
