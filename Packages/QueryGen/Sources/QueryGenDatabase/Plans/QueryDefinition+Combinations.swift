internal import Primitives
internal import QueryModel

extension QueryDefinition {
  /// The largest number of conditional parameters for which all combinations are planned.
  private static let parameterLimit = 4

  /// The combinations whose plans are determined, with their names.
  ///
  /// If there are few conditional parameters, all of their combinations; otherwise none of them, all
  /// of them, and each by itself. The choices of orders and filters are combined with all parameters.
  var combinations: [(label: String, combination: Combination)] {
    let conditional = parameters.filter {
      $0.isConditional && $0.orderChoices.isEmpty && $0.filterColumns.isEmpty
    }
    let sets: [[ParameterDefinition]]
    if conditional.count <= Self.parameterLimit {
      sets = (0..<1 << conditional.count).map { bits in
        conditional.indices.filter { bits >> $0 & 1 == 1 }.map { conditional[$0] }
      }
    } else {
      sets = [[]] + conditional.map { [$0] } + [conditional]
    }
    var found = sets.map { set in
      (set.map(\.name).joined(separator: ", "), Combination(present: Set(set.map(\.index))))
    }
    let all = sets.last ?? []
    for parameter in parameters {
      let choices =
        parameter.orderChoices.map { ($0.name, $0.term) }
        + parameter.filterColumns.map { ($0.name, "\($0.sql) = ?") }
      for (name, term) in choices {
        let names = all.map(\.name) + ["\(parameter.name) = \(name)"]
        found.append(
          (
            names.joined(separator: ", "),
            Combination(present: Set(all.map(\.index)), terms: [parameter.index: term])
          ))
      }
    }
    return found.map { (label: $0.0, combination: $0.1) }
  }

  /// Returns the text of each statement for one combination, with two values for each list, and with prefixes as
  /// patterns.
  ///
  /// SQLite plans `LIKE` with the bound pattern, so an unknown pattern would never use an index.
  func plannedTexts(_ combination: Combination) -> [String] {
    let bytes = Array(sql.utf8)
    func text(_ range: Range<Int>) -> String {
      String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
    }
    var replacements: [(range: Range<Int>, text: String)] = []
    for parameter in parameters {
      for range in parameter.listRanges {
        let name = text(range)
        let row = parameter.columns.map { _ in name }.joined(separator: ", ")
        replacements.append(
          (range, row.isEmpty ? "(\(name), \(name))" : "(VALUES (\(row)), (\(row)))"))
      }
      guard !parameter.isList else { continue }
      for range in parameter.ranges {
        guard let pattern = Self.prefixPattern(after: bytes[..<range.lowerBound]) else { continue }
        replacements.append((range, pattern))
      }
    }
    return texts(
      combination, replacing: replacements.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// Returns a pattern that matches a prefix if the text before it ends with a pattern operator.
  private static func prefixPattern(after text: ArraySlice<UInt8>) -> String? {
    let word = String(
      decoding: text.reversed().drop { $0 == 32 || (9...13).contains($0) }.prefix(5).reversed(),
      as: UTF8.self
    ).asciiLowercased
    // A column's name can end with these letters too.
    let patterns = ["like": "'a%'", "glob": "'a*'"]
    for (name, pattern) in patterns where word.hasSuffix(name) {
      let before = word.dropLast(4).last
      if before.map({ $0 == " " || $0.isNewline || $0 == "\t" || $0 == ")" }) ?? true {
        return pattern
      }
    }
    return nil
  }
}

extension OrderChoice {
  /// The term as SQL, with its direction and its position of NULLs.
  fileprivate var term: String {
    var term = sql
    if isDescending { term += " DESC" }
    switch nulls {
    case .first: term += " NULLS FIRST"
    case .last: term += " NULLS LAST"
    case nil: break
    }
    return term
  }
}
