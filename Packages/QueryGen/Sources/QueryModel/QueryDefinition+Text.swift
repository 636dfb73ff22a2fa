extension QueryDefinition {
  /// A choice of the parts of a query that depend on the input.
  public struct Combination: Hashable, Sendable {
    /// The numbers of the conditional parameters that are present.
    public var present: Set<Int>
    /// The SQL that replaces the parameters of orders and filters, by number.
    public var terms: [Int: String]

    public init(present: Set<Int> = [], terms: [Int: String] = [:]) {
      self.present = present
      self.terms = terms
    }
  }

  /// Returns the text of each statement for one combination. An order without a term is absent.
  ///
  /// - Parameters:
  ///   - combination: The parts that are present.
  ///   - replacements: Texts to write instead of parts of the text, by ranges that don't overlap, in
  ///     order. A range must not contain a dynamic clause.
  public func texts(
    _ combination: Combination, replacing replacements: [(range: Range<Int>, text: String)] = []
  ) -> [String] {
    let bytes = Array(sql.utf8)
    func plain(_ range: Range<Int>) -> [UInt8] {
      var result: [UInt8] = []
      var position = range.lowerBound
      for replacement in replacements
      where replacement.range.lowerBound >= position
        && replacement.range.upperBound <= range.upperBound
      {
        result += bytes[position..<replacement.range.lowerBound] + Array(replacement.text.utf8)
        position = replacement.range.upperBound
      }
      return result + bytes[position..<range.upperBound]
    }
    func text(_ range: Range<Int>) -> [UInt8] {
      var result: [UInt8] = []
      var position = range.lowerBound
      for clause in dynamicClauses
      where clause.start >= position && clause.range.upperBound <= range.upperBound {
        result += plain(position..<clause.start)
        // The end of the separator's preceding token; for the first term, of the clause's.
        var end = clause.start
        var isEmpty = true
        for term in clause.terms {
          if let content = combination.content(of: term, text) {
            let start = isEmpty ? clause.start : end
            let stop = isEmpty ? clause.terms[0].range.lowerBound : term.range.lowerBound
            result += bytes[start..<stop] + content
            isEmpty = false
          }
          end = term.range.upperBound
        }
        position = clause.range.upperBound
      }
      return result + plain(position..<range.upperBound)
    }
    return statementRanges.map { String(decoding: text($0), as: UTF8.self) }
  }
}

extension QueryDefinition.Combination {
  /// Returns the text of a term; `nil` if it is absent.
  fileprivate func content(
    of term: DynamicClause.Term, _ text: (Range<Int>) -> [UInt8]
  ) -> [UInt8]? {
    switch term.presence {
    case .always: text(term.range)
    case .ifPresent(let parameters):
      present.isSuperset(of: parameters) ? text(term.range) : nil
    case .order(let parameter): terms[parameter].map { Array($0.utf8) }
    case .filter(let parameter):
      terms[parameter].map { Array($0.utf8) }
        ?? (present.contains(parameter) ? text(term.range) : nil)
    }
  }
}
