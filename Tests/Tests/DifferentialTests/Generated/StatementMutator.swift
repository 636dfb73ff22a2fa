import SQLSyntax

/// Changes random tokens of statements. Most of the results are invalid.
struct StatementMutator {
  var random: RandomSource

  private static let expressions = [
    "NULL", "(1, 2)", "(SELECT 1)", "(SELECT 1, 2)", "count(*)", "row_number() OVER ()", "?", "?7",
    ":a", "*",
    "rowid", "max(1)", "max(1, 2)", "raise(ignore)", "current_timestamp", "1 COLLATE nocase",
    "nosuch(1)",
    "abs(1, 2)", "nope", "nope.x", "main.nope.x", "1 IN (SELECT 1, 2)", "(1, 2) = (3, 4)",
    "(1, 2) < (3, 4, 5)",
    "count(DISTINCT 1, 2)", "sum(1) FILTER (WHERE 1)", "abs(1) FILTER (WHERE 1)", "abs(1) OVER ()",
    "sum(sum(1))", "lag(1)", "likelihood(1, 2)", "random()", "new.rowid", "excluded.a",
    "'a' LIKE 'b' ESCAPE 'c'",
    "x'ab'", "99999999999999999999", "1e400", "iif(1, 2)", "substr(1)", "(SELECT count(*))",
    "first_value(1) OVER w",
    "sum(1) OVER (RANGE 1 PRECEDING)", "a.*", "json(1) -> 'a'", "CASE WHEN 1 THEN 2 END", "_rowid_",
  ]
  private static let tails = [
    " LIMIT 1", " LIMIT a", " ORDER BY 1", " ORDER BY 99", " ORDER BY nope", " GROUP BY 1",
    " GROUP BY count(*)",
    " HAVING 1", " WHERE 1", " WHERE count(*)", " WHERE nope", " RETURNING *",
    " RETURNING count(*)",
    " ON CONFLICT DO NOTHING", " ON CONFLICT (a) DO UPDATE SET a = excluded.a", " INDEXED BY nope",
    " NOT INDEXED", " UNION SELECT 1", " UNION ALL SELECT 1, 2", " WITHOUT ROWID", " STRICT",
    " FOO",
    " WINDOW w AS ()", " , 1", " AS x", ";", " JOIN (SELECT 1)",
    " LEFT JOIN (SELECT 1 AS a) USING (a)",
    " NATURAL JOIN (SELECT 1 AS a)", " FULL JOIN (SELECT 1 AS a) USING (nope)", " , json_each(1)",
    " FROM nope",
    " CROSS JOIN (SELECT 1) ON 1", " DESC",
  ]
  private static let words = KeywordWords.all

  /// - Parameter names: The names that may replace a name.
  mutating func mutate(_ sql: String, names: [String]) -> String {
    let source = SourceText(sql)
    let list = Lexer.tokenize(source).tokens.dropLast()
    guard !list.isEmpty else { return sql }
    var tokens = list.map { source[$0.span] }
    let kinds = list.map(\.kind)
    let place = Int.random(in: 0..<tokens.count, using: &random)
    let identifiers = tokens.indices.filter { kinds[$0] == .identifier }
    let values = tokens.indices.filter {
      [.identifier, .integer, .real, .string, .parameter].contains(kinds[$0])
    }
    switch Int.random(in: 0..<100, using: &random) {
    case ..<12: tokens.remove(at: place)
    case ..<17: tokens.insert(tokens[place], at: place)
    case ..<22: tokens.swapAt(place, min(place + 1, tokens.count - 1))
    case ..<45 where !identifiers.isEmpty && !names.isEmpty:
      tokens[random.pick(identifiers)] = random.pick(names)
    case ..<68 where !values.isEmpty: tokens[random.pick(values)] = random.pick(Self.expressions)
    case ..<82: tokens.append(random.pick(Self.tails))
    case ..<92: tokens.insert(random.pick(Self.words), at: place)
    case ..<95:
      return random.pick([
        "EXPLAIN ", "CREATE VIEW v_9 AS ", "CREATE TABLE t_9 AS ", "WITH c AS (SELECT 1) ",
      ])
        + sql
    default: tokens[place] = random.pick(Self.words)
    }
    return tokens.joined(separator: " ")
  }
}

/// The tokens that may be inserted.
private enum KeywordWords {
  static let all =
    "SELECT FROM WHERE AND OR NOT DISTINCT ALL AS ON USING LEFT RIGHT FULL NATURAL CROSS JOIN GROUP BY HAVING ORDER DESC LIMIT OFFSET UNION EXCEPT VALUES INTO SET DEFAULT NULL PRIMARY KEY UNIQUE CHECK REFERENCES COLLATE CREATE TABLE INDEX VIEW TRIGGER TEMP IF EXISTS BEGIN END WHEN THEN ELSE CASE CAST IN IS BETWEEN LIKE MATCH ESCAPE OVER PARTITION WINDOW ROWS REPLACE IGNORE CONFLICT DO NOTHING UPDATE DELETE INSERT RENAME TO ADD DROP WITH RECURSIVE GENERATED ( ) , ; . * = + - 1"
    .split(separator: " ").map(String.init)
}
