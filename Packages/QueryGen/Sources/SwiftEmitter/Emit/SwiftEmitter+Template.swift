import QueryModel

extension SwiftEmitter {
  /// Generates the text of a statement with parts that depend on the input.
  func template(_ head: String, _ statement: StatementSignature, _ writer: inout SwiftWriter) {
    writer.line("\(head) = Queries.SQLTemplate(")
    writer.indented { writer in
      for piece in statement.pieces { self.piece(piece, ",", &writer) }
      let columns = statement.columnCount.map { ", columnCount: \($0)" } ?? ""
      writer.line("parameterCount: \(statement.numbers.count)\(columns))")
    }
  }

  private func piece(_ piece: StatementSignature.Piece, _ end: String, _ writer: inout SwiftWriter)
  {
    switch piece {
    case .text(let text): writer.literal(".text(", text, ")" + end)
    case .list(let index): writer.line(".list(\(index))" + end)
    case .parameter(let index): writer.line(".parameter(\(index))" + end)
    case .clause(let head, let terms):
      writer.line(".clause(")
      writer.indented { writer in
        writer.line(StringLiteral.singleLine(head) + ",")
        writer.line("[")
        writer.indented { writer in for term in terms { self.term(term, &writer) } }
        writer.line("])" + end)
      }
    }
  }

  /// Generates a term of a clause, on one line if it fits.
  private func term(_ term: StatementSignature.Term, _ writer: inout SwiftWriter) {
    let separator = StringLiteral.singleLine(term.separator)
    let head: String
    switch term.presence {
    case .order(let index):
      writer.line(".order(\(separator), \(index)),")
      return
    case .filter(let index):
      writer.line(".filter(\(separator), \(index)),")
      return
    case .ifPresent(let parameters):
      let list = parameters.map(String.init).joined(separator: ", ")
      head = ".ifPresent([\(list)], \(separator)"
    case .always: head = ".always(\(separator)"
    }
    let pieces = term.pieces.compactMap(\.singleLine)
    let line = ([head] + pieces).joined(separator: ", ") + "),"
    if pieces.count == term.pieces.count, writer.fits(line) {
      writer.line(line)
      return
    }
    writer.line(head + ",")
    writer.indented { writer in
      for (place, piece) in term.pieces.enumerated() {
        self.piece(piece, place + 1 < term.pieces.count ? "," : "),", &writer)
      }
    }
  }
}

extension StatementSignature.Piece {
  /// The code of the piece on one line; `nil` for a clause and for a text with line breaks.
  fileprivate var singleLine: String? {
    switch self {
    case .text(let text):
      text.utf8.contains(UInt8(ascii: "\n")) ? nil : ".text(\(StringLiteral.singleLine(text)))"
    case .list(let index): ".list(\(index))"
    case .parameter(let index): ".parameter(\(index))"
    case .clause: nil
    }
  }
}
