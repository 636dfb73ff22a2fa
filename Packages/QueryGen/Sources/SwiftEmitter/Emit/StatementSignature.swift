import QueryModel

/// One statement of a query: its text, and the parameters that it uses.
struct StatementSignature {
  enum Piece: Hashable {
    case text(String)
    /// The placeholders of the list parameter with this number.
    case list(Int)
    /// The parameter with this number, in a statement with clauses.
    case parameter(Int)
    /// The text before the first term, and the terms.
    case clause(String, [Term])
  }

  /// A term of a clause.
  struct Term: Hashable {
    var separator: String
    var presence: DynamicClause.Presence
    var pieces: [Piece]
  }

  /// The parameters that the statement uses, in the order of first use.
  let parameters: [ParameterField]
  /// The numbers by which the statement's parameters are bound.
  let numbers: ParameterNumbers
  /// The number of columns that a row is read from; `nil` if no rows are read.
  let columnCount: Int?
  /// Indicates whether the values are collected in an array, because of lists, of gaps between the
  /// numbers, or of clauses with terms that may be absent.
  let usesValueArray: Bool
  let pieces: [Piece]

  /// The list of rows for each of which the statement is executed, if any.
  var insertedList: ParameterField? { parameters.first { $0.isInserted && $0.isList } }

  /// The maximum number of gaps between the numbers for which NULL is written out.
  private static let largestGap = 16

  /// - Parameters:
  ///   - range: The statement's range in the query's SQL.
  ///   - all: The query's parameters.
  init(
    _ definition: QueryDefinition, in range: Range<Int>, _ all: [ParameterField], columnCount: Int?
  ) {
    let isOnly = definition.statementRanges.count == 1
    let used = zip(all, definition.parameters).filter { _, parameter in
      isOnly || parameter.allRanges.contains { range.overlaps($0) }
    }
    parameters = used.map(\.0)
    self.columnCount = columnCount
    let isRewritten = !isOnly || parameters.contains(where: \.isInserted)
    numbers = isRewritten ? ParameterNumbers(numbering: parameters) : ParameterNumbers(parameters)
    usesValueArray =
      parameters.contains { $0.isList && !$0.isInserted }
      || definition.dynamicClauses.contains { range.overlaps($0.range) }
      || numbers.gapCount > Self.largestGap
    pieces =
      usesValueArray || isRewritten
      ? TemplateWriter(definition, in: range, all, numbers).pieces : [.text(definition.sql)]
  }

  /// The text, if it does not depend on the input.
  var text: String {
    pieces.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}

/// The numbers by which the parameters of one statement are bound.
struct ParameterNumbers {
  /// The first number of each parameter, by its number in the query's definition.
  private var first: [Int: Int] = [:]
  /// The largest number.
  private(set) var count = 0
  /// The number of numbers without a parameter.
  private(set) var gapCount = 0

  /// Creates the numbers that SQLite assigns to the parameters of the text.
  init(_ parameters: [ParameterField]) {
    for parameter in parameters { first[parameter.index] = parameter.index }
    count = parameters.map(\.index).max() ?? 0
    gapCount = count - parameters.count
  }

  /// Creates consecutive numbers, for a text in which they are written.
  init(numbering parameters: [ParameterField]) {
    for parameter in parameters.sorted(by: { $0.index < $1.index }) {
      first[parameter.index] = count + 1
      count += parameter.valueCount
    }
  }

  /// Returns the first number of a parameter.
  subscript(parameter: Int) -> Int { first[parameter] ?? parameter }
}
