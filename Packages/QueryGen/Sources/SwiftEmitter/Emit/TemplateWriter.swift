import QueryModel

extension ParameterDefinition {
  /// The ranges of all uses.
  var allRanges: [Range<Int>] { listRanges + rowRanges + ranges }
}

/// Splits a statement's SQL at its lists and its clauses with terms that may be absent.
///
/// Every other parameter is written as its number, since a list's placeholders and absent terms would
/// change the numbering of bare `?` parameters.
struct TemplateWriter {
  typealias Piece = StatementSignature.Piece

  private let bytes: [UInt8]
  private let clauses: [DynamicClause]
  private let numbers: ParameterNumbers
  /// The uses of the parameters, by position.
  private var uses: [(range: Range<Int>, parameter: ParameterField)] = []

  private let range: Range<Int>

  /// - Parameter range: The statement's range in the query's SQL.
  init(
    _ definition: QueryDefinition, in range: Range<Int>, _ parameters: [ParameterField],
    _ numbers: ParameterNumbers
  ) {
    bytes = Array(definition.sql.utf8)
    clauses = definition.dynamicClauses.filter { range.overlaps($0.range) }
    self.range = range
    self.numbers = numbers
    for (field, parameter) in zip(parameters, definition.parameters) {
      for range in parameter.allRanges { uses.append((range, field)) }
    }
    uses.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  var pieces: [Piece] { pieces(in: range) }

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

  private func terms(of clause: DynamicClause) -> [StatementSignature.Term] {
    clause.terms.indices.map { place in
      let term = clause.terms[place]
      let previous = place > 0 ? clause.terms[place - 1].range.upperBound : term.range.lowerBound
      var content: [Piece] = []
      switch term.presence {
      case .order, .filter: break
      case .always, .ifPresent: content = pieces(in: term.range)
      }
      return StatementSignature.Term(
        separator: text(previous..<term.range.lowerBound), presence: numbered(term.presence),
        pieces: content)
    }
  }

  private func numbered(_ presence: DynamicClause.Presence) -> DynamicClause.Presence {
    switch presence {
    case .always: .always
    case .ifPresent(let parameters): .ifPresent(parameters.map { numbers[$0] })
    case .order(let parameter): .order(numbers[parameter])
    case .filter(let parameter): .filter(numbers[parameter])
    }
  }

  /// Returns the pieces of a range without clauses.
  private func split(_ range: Range<Int>) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    func add(_ piece: Piece) {
      if !text.isEmpty { pieces.append(.text(text)) }
      pieces.append(piece)
      text = ""
    }
    func add(number: Int) {
      if clauses.isEmpty { text += "?\(number)" } else { add(.parameter(number)) }
    }
    var position = range.lowerBound
    for (use, parameter) in uses
    where use.lowerBound >= position && use.upperBound <= range.upperBound {
      text += self.text(position..<use.lowerBound)
      position = use.upperBound
      let number = numbers[parameter.index]
      if parameter.isInserted {
        text += "("
        for column in 0..<parameter.valueCount {
          if column > 0 { text += ", " }
          add(number: number + column)
        }
        text += ")"
      } else if parameter.isList {
        add(.list(number))
      } else {
        add(number: number)
      }
    }
    text += self.text(position..<range.upperBound)
    return text.isEmpty ? pieces : pieces + [.text(text)]
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
  }
}
