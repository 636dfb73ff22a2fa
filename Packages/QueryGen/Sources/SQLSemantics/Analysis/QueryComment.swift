internal import QueryModel

/// The comment above a query: what documents it, and what asks for lists.
///
/// `nest: book` makes the columns of `book.*` elements of a list `books`; `nest: title, price AS books`
/// does so with columns, and names the list.
struct QueryComment {
  var documentation: String?
  var lists: [NestedList] = []

  init(_ lines: [String]) {
    var rest: [String] = []
    for line in lines {
      if let list = NestedList(comment: line) { lists.append(list) } else { rest.append(line) }
    }
    if rest.contains(where: { !$0.isEmpty }) { documentation = rest.joined(separator: "\n") }
  }
}

extension NestedList {
  fileprivate init?(comment line: String) {
    guard line.hasPrefix("nest:") else { return nil }
    var words = line.dropFirst(5).split { $0 == " " || $0 == "," || $0 == "\t" }.map(String.init)
    var name = ""
    if words.count > 2, words[words.count - 2].uppercased() == "AS" {
      name = words[words.count - 1]
      words.removeLast(2)
    }
    guard !words.isEmpty else { return nil }
    self.init(name: name, columns: words)
  }
}
