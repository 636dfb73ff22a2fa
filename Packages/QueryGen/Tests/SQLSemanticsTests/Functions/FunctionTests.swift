import SQLSemantics
import SQLSyntax
import Testing

@Suite struct `Functions` {
  @Test(arguments: [
    Refusal("SELECT ①concat②('a', 'b')", .newerThanTarget),
    Refusal("SELECT ①upper②('a', 'b')", .argumentCount),
    Refusal("SELECT ①upper②(*)", .argumentCount),
    Refusal("SELECT ①coalesce②(1)", .argumentCount),
    Refusal("SELECT name ①REGEXP② 'a' FROM user", .unknownFunction),
    Refusal("SELECT id FROM user WHERE ①count②(*) > 1", .aggregateMisuse),
    Refusal("SELECT sum(①max②(id)) FROM user", .aggregateMisuse),
    Refusal("SELECT 1 FROM user GROUP BY ①count(*)②", .aggregateMisuse),
    Refusal("SELECT id FROM user HAVING ①id > 1②", .aggregateMisuse),
    Refusal("SELECT count(*) AS n FROM user WHERE ①n② > 1", .aggregateMisuse),
    Refusal("SELECT ①group_concat②(DISTINCT name, ',') FROM user", .aggregateMisuse),
    Refusal("SELECT ①upper②(name) FILTER (WHERE id > 1) FROM user", .aggregateMisuse),
    Refusal("UPDATE user SET age = ①count②(*)", .aggregateMisuse),
    Refusal("SELECT ①row_number②() FROM user", .windowMisuse),
    Refusal("SELECT ①upper②(name) OVER () FROM user", .windowMisuse),
    Refusal("SELECT id FROM user WHERE ①row_number②() OVER () = 1", .windowMisuse),
    Refusal("SELECT ①row_number②() FILTER (WHERE id > 1) OVER () FROM user", .windowMisuse),
    Refusal("SELECT ①count②(DISTINCT id) OVER () FROM user", .windowMisuse),
    Refusal("SELECT rank() OVER ①w② FROM user", .unknownWindow),
    Refusal(
      "SELECT sum(id) OVER (ORDER BY id, age ①RANGE 1 PRECEDING②) FROM user", .invalidFrame),
    Refusal("SELECT likelihood(id, ①2②) FROM user", .argumentCount),
    Refusal("SELECT ①RAISE(IGNORE)②", .prohibitedHere),
  ])
  func `are rejected if SQLite rejects them`(_ refusal: Refusal) {
    expectRefused(refusal)
  }

  @Test(arguments: [
    "SELECT count(), count(*), COUNT(id), min(id), min(1, 2) FROM user",
    "SELECT sum(count(*)) OVER () FROM user GROUP BY name",
    "SELECT rank() OVER w, sum(age) FILTER (WHERE age > 1) OVER (w ROWS 1 PRECEDING) FROM user "
      + "WINDOW w AS (PARTITION BY name ORDER BY id)",
    "SELECT date(), datetime('now', '+1 day'), strftime('%Y', 'now'), unixepoch()",
    "SELECT json_extract('{}', '$.a', '$.b'), '{}' -> 'a', '{}' ->> '$.a', json_valid('')",
    "SELECT pi(), pow(2, 3), log(2, 8), ceil(1.5), mod(5, 3)",
    "SELECT name FROM user ORDER BY count(*) OVER ()",
    "SELECT (SELECT count(u.id) FROM post) FROM user u",
    "SELECT name FROM user WHERE name LIKE 'a%' ESCAPE '\\' AND name GLOB 'a*'",
  ])
  func `are accepted if SQLite accepts them`(_ sql: String) {
    expectAccepted(sql)
  }

  @Test(arguments: [
    Mistake("SELECT ①now②()", .unknownFunction, fixed: "SELECT CURRENT_TIMESTAMP"),
    Mistake(
      "SELECT ①LEN②(name) FROM user", .unknownFunction, fixed: "SELECT length(name) FROM user"),
    Mistake("SELECT ①gen_random_uuid②()", .unknownFunction, fixed: "SELECT hex(randomblob(16))"),
    Mistake("SELECT ①date_format②(born, '%Y') FROM user", .unknownFunction),
  ])
  func `of other databases are reported with the SQLite equivalent`(_ mistake: Mistake) {
    expectMistake(mistake, .error)
  }
}
