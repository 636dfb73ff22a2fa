internal import QueryModel

/// A reader of the text after `nest:`: the columns of a list, the lists of its elements in
/// parentheses, and optionally `AS` with its name.
///
///     book (chapter) (review AS reviews)
///     title, year (heading, page AS chapters) AS books
struct NestedListReader {
  private enum Token: Equatable {
    case word(String)
    case open
    case close
  }

  private var tokens: [Token] = []
  private var position = 0
  /// The maximum number of levels, which bounds the recursion.
  private static let maximumDepth = 100

  init(_ text: some StringProtocol) {
    var word = ""
    /// The parentheses that are open in the word, such as `count(*)`.
    var depth = 0
    func flush(_ tokens: inout [Token]) {
      if !word.isEmpty { tokens.append(.word(word)) }
      word = ""
    }
    for character in text {
      switch character {
      case _ where depth > 0:
        word.append(character)
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
      case "(" where !word.isEmpty:
        word.append(character)
        depth = 1
      case "(", ")":
        flush(&tokens)
        tokens.append(character == "(" ? .open : .close)
      case " ", "\t", ",": flush(&tokens)
      default: word.append(character)
      }
    }
    flush(&tokens)
  }

  /// Reads a list that extends to the end of the text, or returns `nil` if it is malformed.
  mutating func list() -> NestedList? {
    guard let list = list(depth: 0), position == tokens.count else { return nil }
    return list
  }

  private mutating func list(depth: Int) -> NestedList? {
    guard depth < Self.maximumDepth else { return nil }
    var list = NestedList(name: "", columns: [])
    while position < tokens.count, tokens[position] != .close {
      let token = tokens[position]
      position += 1
      switch token {
      case .open:
        guard let inner = self.list(depth: depth + 1), position < tokens.count else { return nil }
        position += 1
        list.lists.append(inner)
      case .word(let text):
        if text.uppercased() == "AS", !list.columns.isEmpty, let name = nameAtEnd {
          position += 1
          list.name = name
          return list
        }
        list.columns.append(text)
      case .close: break
      }
    }
    return list.columns.isEmpty ? nil : list
  }

  /// The word at the position, if the list ends after it.
  private var nameAtEnd: String? {
    guard position < tokens.count, case .word(let name) = tokens[position],
      position + 1 == tokens.count || tokens[position + 1] == .close
    else { return nil }
    return name
  }
}
