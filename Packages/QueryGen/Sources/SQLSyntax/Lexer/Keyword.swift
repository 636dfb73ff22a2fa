/// A hash table of SQLite 3.40's keywords, looked up without allocating.
struct KeywordTable: Sendable {
  static let shared = KeywordTable()

  /// All keywords, in uppercase.
  static let all: [(text: StaticString, kind: TokenKind)] = [
    ("ABORT", .abort), ("ACTION", .action), ("AFTER", .after), ("ALWAYS", .always),
    ("ANALYZE", .analyze), ("ASC", .asc), ("ATTACH", .attach), ("BEFORE", .before),
    ("BEGIN", .begin), ("BY", .by), ("CASCADE", .cascade), ("CAST", .cast), ("COLUMN", .column),
    ("CONFLICT", .conflict), ("CURRENT", .current), ("CURRENT_DATE", .currentDate),
    ("CURRENT_TIME", .currentTime), ("CURRENT_TIMESTAMP", .currentTimestamp),
    ("DATABASE", .database), ("DEFERRED", .deferred), ("DESC", .desc), ("DETACH", .detach),
    ("DO", .do), ("EACH", .each), ("END", .end), ("EXCLUDE", .exclude), ("EXCLUSIVE", .exclusive),
    ("EXPLAIN", .explain), ("FAIL", .fail), ("FIRST", .first), ("FOLLOWING", .following),
    ("FOR", .for), ("GENERATED", .generated), ("GLOB", .glob), ("GROUPS", .groups), ("IF", .if),
    ("IGNORE", .ignore), ("IMMEDIATE", .immediate), ("INITIALLY", .initially),
    ("INSTEAD", .instead), ("KEY", .key), ("LAST", .last), ("LIKE", .like), ("MATCH", .match),
    ("MATERIALIZED", .materialized), ("NO", .no), ("NULLS", .nulls), ("OF", .of),
    ("OFFSET", .offset), ("OTHERS", .others), ("PARTITION", .partition), ("PLAN", .plan),
    ("PRAGMA", .pragma), ("PRECEDING", .preceding), ("QUERY", .query), ("RAISE", .raise),
    ("RANGE", .range), ("RECURSIVE", .recursive), ("REGEXP", .regexp), ("REINDEX", .reindex),
    ("RELEASE", .release), ("RENAME", .rename), ("REPLACE", .replace), ("RESTRICT", .restrict),
    ("ROLLBACK", .rollback), ("ROW", .row), ("ROWS", .rows), ("SAVEPOINT", .savepoint),
    ("TEMP", .temp), ("TEMPORARY", .temp), ("TIES", .ties), ("TRIGGER", .trigger),
    ("UNBOUNDED", .unbounded), ("VACUUM", .vacuum), ("VIEW", .view), ("VIRTUAL", .virtual),
    ("WITH", .with), ("WITHOUT", .without), ("INDEXED", .indexed), ("CROSS", .cross),
    ("FULL", .full), ("INNER", .inner), ("LEFT", .left), ("NATURAL", .natural), ("OUTER", .outer),
    ("RIGHT", .right), ("WINDOW", .window), ("OVER", .over), ("FILTER", .filter), ("ADD", .add),
    ("ALL", .all), ("ALTER", .alter), ("AND", .and), ("AS", .as),
    ("AUTOINCREMENT", .autoincrement), ("BETWEEN", .between), ("CASE", .case), ("CHECK", .check),
    ("COLLATE", .collate), ("COMMIT", .commit), ("CONSTRAINT", .constraint), ("CREATE", .create),
    ("DEFAULT", .default), ("DEFERRABLE", .deferrable), ("DELETE", .delete),
    ("DISTINCT", .distinct), ("DROP", .drop), ("ELSE", .else), ("ESCAPE", .escape),
    ("EXCEPT", .except), ("EXISTS", .exists), ("FOREIGN", .foreign), ("FROM", .from),
    ("GROUP", .group), ("HAVING", .having), ("IN", .in), ("INDEX", .index), ("INSERT", .insert),
    ("INTERSECT", .intersect), ("INTO", .into), ("IS", .is), ("ISNULL", .isnull), ("JOIN", .join),
    ("LIMIT", .limit), ("NOT", .not), ("NOTHING", .nothing), ("NOTNULL", .notnull),
    ("NULL", .null), ("ON", .on), ("OR", .or), ("ORDER", .order), ("PRIMARY", .primary),
    ("REFERENCES", .references), ("RETURNING", .returning), ("SELECT", .select), ("SET", .set),
    ("TABLE", .table), ("THEN", .then), ("TO", .to), ("TRANSACTION", .transaction),
    ("UNION", .union), ("UNIQUE", .unique), ("UPDATE", .update), ("USING", .using),
    ("VALUES", .values), ("WHEN", .when), ("WHERE", .where),
  ]

  static let longest = 17

  /// The index of each bucket's first entry, plus one; zero for an empty bucket.
  private let heads: [UInt8]
  /// For each entry, the index of the next entry in its bucket, plus one.
  private let next: [UInt8]
  private let kinds: [TokenKind]
  private let lengths: [UInt8]
  private let starts: [Int]
  /// The concatenated keywords, in lowercase.
  private let letters: [UInt8]

  private init() {
    var heads = [UInt8](repeating: 0, count: 256)
    var next: [UInt8] = []
    var kinds: [TokenKind] = []
    var lengths: [UInt8] = []
    var starts: [Int] = []
    var letters: [UInt8] = []
    for (index, keyword) in Self.all.enumerated() {
      let text = keyword.text.description.utf8.map { $0 | 0x20 }
      let bucket = Self.bucket(
        first: text[0], second: text[1], last: text[text.count - 1], count: text.count)
      next.append(heads[bucket])
      heads[bucket] = UInt8(index + 1)
      kinds.append(keyword.kind)
      lengths.append(UInt8(text.count))
      starts.append(letters.count)
      letters += text
    }
    self.heads = heads
    self.next = next
    self.kinds = kinds
    self.lengths = lengths
    self.starts = starts
    self.letters = letters
  }

  /// Returns the bucket of a word. Bit 5 is set in every byte, which lowercases letters and maps
  /// `_` to 0x7F.
  @inline(__always)
  private static func bucket(first: UInt8, second: UInt8, last: UInt8, count: Int) -> Int {
    let mixed = Int(first | 0x20) &* 4 ^ Int(last | 0x20) &* 3 ^ Int(second | 0x20) &* 7 ^ count
    return mixed & 255
  }

  /// Returns the kind of the word at `start..<end`: a keyword, or ``TokenKind/identifier``.
  @inline(__always)
  func kind(of bytes: [UInt8], from start: Int, to end: Int) -> TokenKind {
    let count = end - start
    guard count >= 2, count <= Self.longest else { return .identifier }
    var entry = heads[
      Self.bucket(
        first: bytes[start], second: bytes[start + 1], last: bytes[end - 1], count: count)]
    search: while entry != 0 {
      let index = Int(entry - 1)
      entry = next[index]
      guard Int(lengths[index]) == count else { continue }
      let text = starts[index]
      for position in 0..<count {
        let byte = bytes[start + position]
        guard byte | 0x20 == letters[text + position], byte < 0x80 else { continue search }
      }
      return kinds[index]
    }
    return .identifier
  }
}
