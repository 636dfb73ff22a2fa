import QueryModel

/// Splits a query's SQL at its lists and its clauses with terms that may be absent.
///
/// Every other parameter is written as its number, since a list's placeholders and absent terms would
/// change the numbering of bare `?` parameters.
struct TemplateWriter {
  typealias Piece = QuerySignature.Piece

  private let bytes: [UInt8]
  private let clauses: [DynamicClause]
  /// The uses of the parameters, by position.
  private var uses: [(range: Range<Int>, parameter: ParameterDefinition)] = []

  init(_ definition: QueryDefinition) {
    bytes = Array(definition.sql.utf8)
    clauses = definition.dynamicClauses
    for parameter in definition.parameters {
      for range in parameter.isList ? parameter.listRanges : parameter.ranges {
        uses.append((range, parameter))
      }
    }
    uses.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  var pieces: [Piece] { pieces(in: bytes.indices) }

  /// Returns the pieces of a range. The clauses within it are split again, term by term.
  private func pieces(in range: Range<Int>) -> [Piece] {
    var pieces: [Piece] = []
    var position = range.lowerBound
    for clause in clauses
    where clause.start >= position && clause.range.upperBound <= range.upperBound {
      pieces += split(position..<clause.start)
      pieces.append(.clause(head(of: clause), terms(of: clause)))
      position = clause.range.upperBound
    }
    return pieces + split(position..<range.upperBound)
  }

  private func head(of clause: DynamicClause) -> String {
    text(clause.start..<(clause.terms.first?.range.lowerBound ?? clause.start))
  }

  private func terms(of clause: DynamicClause) -> [QuerySignature.Term] {
    clause.terms.indices.map { place in
      let term = clause.terms[place]
      let previous = place > 0 ? clause.terms[place - 1].range.upperBound : term.range.lowerBound
      var content: [Piece] = []
      switch term.presence {
      case .order, .filter: break
      case .always, .ifPresent: content = pieces(in: term.range)
      }
      return QuerySignature.Term(
        separator: text(previous..<term.range.lowerBound), presence: term.presence, pieces: content)
    }
  }

  /// Returns the pieces of a range without clauses.
  private func split(_ range: Range<Int>) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    var position = range.lowerBound
    for (use, parameter) in uses
    where use.lowerBound >= position && use.upperBound <= range.upperBound {
      text += self.text(position..<use.lowerBound)
      position = use.upperBound
      if parameter.isList {
        pieces += [.text(text), .list(parameter.index)]
        text = ""
      } else if !clauses.isEmpty {
        pieces += [.text(text), .parameter(parameter.index)]
        text = ""
      } else {
        text += "?\(parameter.index)"
      }
    }
    text += self.text(position..<range.upperBound)
    return text.isEmpty ? pieces : pieces + [.text(text)]
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
  }
}
