/// What people type into a field, as a query of FTS5: https://www.sqlite.org/fts5.html#full_text_query_syntax
///
/// Every word is in quotes, so that none is an operator or the name of a column.
enum FullText {
  /// Each of the words.
  static func plain(_ text: String) -> String {
    words(text).map { quoted($0) }.joined(separator: " ")
  }

  /// The words one after another.
  static func phrase(_ text: String) -> String { quoted(text) }

  /// Words and `"phrases"`, each of which has to be there; `or` between them, `-` before what must not be there.
  ///
  /// - Throws: ``RouterError`` where there is only what must not be.
  static func web(_ text: String) throws(RouterError) -> String {
    var groups: [(wanted: [String], unwanted: [String])] = [([], [])]
    for term in terms(text) {
      if !term.isPhrase, !term.isUnwanted, term.text.lowercased() == "or" {
        if !(groups[groups.count - 1] == ([], [])) { groups.append(([], [])) }
      } else if term.isUnwanted {
        groups[groups.count - 1].unwanted.append(quoted(term.text))
      } else {
        groups[groups.count - 1].wanted.append(quoted(term.text))
      }
    }
    var parts: [String] = []
    for (wanted, unwanted) in groups where !(wanted.isEmpty && unwanted.isEmpty) {
      guard !wanted.isEmpty else {
        throw .invalid("a search says only what must not be there")
      }
      let all = wanted.joined(separator: " AND ")
      parts.append(
        unwanted.isEmpty ? "(\(all))" : "((\(all)) NOT (\(unwanted.joined(separator: " OR "))))")
    }
    return parts.joined(separator: " OR ")
  }

  private struct Term {
    var text: String
    var isPhrase = false
    var isUnwanted = false
  }

  private static func terms(_ text: String) -> [Term] {
    var terms: [Term] = []
    var rest = Substring(text).unicodeScalars
    while let first = rest.first {
      if first.properties.isWhitespace {
        rest.removeFirst()
        continue
      }
      var term = Term(text: "")
      if first == "-", let next = rest.dropFirst().first, !next.properties.isWhitespace {
        term.isUnwanted = true
        rest.removeFirst()
      }
      if rest.first == "\"" {
        term.isPhrase = true
        rest.removeFirst()
        let phrase = rest.prefix { $0 != "\"" }
        rest = rest.dropFirst(phrase.count + 1)
        term.text = String(phrase)
      } else {
        let word = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" }
        rest = rest.dropFirst(word.count)
        term.text = String(word)
      }
      terms.append(term)
    }
    return terms
  }

  private static func words(_ text: String) -> [String] {
    text.unicodeScalars.split { $0.properties.isWhitespace }.map { String($0) }
  }

  private static func quoted(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"":
        result.append("\"")
        result.append("\"")
      // The query would end there.
      case "\0": result.append(" ")
      default: result.append(scalar)
      }
    }
    result.append("\"")
    return String(result)
  }
}
