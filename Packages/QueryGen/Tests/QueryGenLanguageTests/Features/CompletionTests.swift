import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

extension MarkedShop {
  mutating func completions(_ number: Int = 1) -> [Completion] {
    let offset = mark(number)
    return (host.withProject(of: path) { $0.completions(path, at: offset) } ?? nil)?.items ?? []
  }
}

@Suite struct `Completions` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    /// Labels that are offered, and labels that are not.
    let offered: [String], missing: [String]
    var testDescription: String { text }

    init(_ text: String, _ offered: [String], not missing: [String] = []) {
      self.text = text
      self.offered = offered
      self.missing = missing
    }
  }

  @Test(arguments: [
    Case(
      "q: ①", ["SELECT", "INSERT INTO", "WITH", "UPDATE", "DELETE FROM"], not: ["name", "WHERE"]),
    Case("①", ["query", "SELECT"]),
    Case("q: SELECT ① FROM customer;", ["name", "email", "customer", "count"], not: ["state"]),
    Case("q: SELECT na① FROM customer;", ["name"]),
    Case("q: SELECT id, ① FROM customer;", ["name"], not: ["state"]),
    Case("q: SELECT ①\nFROM customer WHERE id = 1;", ["name"]),
    Case("q: SELECT 1 FROM ①", ["customer", "orders", "open_orders", "json_each"], not: ["name"]),
    Case("q: SELECT 1 FROM customer WHERE ①", ["name", "NOT", "EXISTS"], not: ["state", "FROM"]),
    Case(
      "q: SELECT 1 FROM customer ①", ["WHERE", "ORDER BY", "LEFT JOIN", "LIMIT"], not: ["FROM"]),
    Case("q: SELECT c.① FROM customer c;", ["name"], not: ["state", "SELECT"]),
    Case("q: SELECT c.① FROM customer c, orders o;", ["name"], not: ["state"]),
    Case("q: SELECT ① FROM customer c, orders o;", ["c.id", "o.id", "name", "state"], not: ["id"]),
    Case("q: SELECT 1 FROM customer WHERE id IN (SELECT ① FROM orders);", ["customer_id"]),
    Case("q: SELECT 1 FROM customer WHERE id IN (SELECT ①", ["count"]),
    Case("q: SELECT 1 FROM orders WHERE state = ①", ["'open'", "'paid'", "state"]),
    Case("q: SELECT 1 FROM orders WHERE state IN (①", ["'open'", "'paid'"]),
    Case("q: WITH t (a) AS (SELECT 1) SELECT ① FROM t;", ["a"]),
    Case("q: WITH t AS (SELECT 1 AS a) SELECT 1 FROM ①", ["t", "customer"]),
    Case("q: INSERT INTO customer (①", ["id", "name", "city"], not: ["state", "SELECT"]),
    Case("q: INSERT INTO customer (name, ①) VALUES (1, 2);", ["id", "city"], not: ["name"]),
    Case("q: INSERT INTO ①", ["customer"], not: ["json_each"]),
    Case("q: UPDATE orders SET ①", ["state", "total"], not: ["name"]),
    Case("q: UPDATE orders SET total = ①", ["state", "total", "round"]),
    Case("q: DELETE FROM orders WHERE ①", ["state"]),
    Case("q: BEGIN DELETE FROM orders WHERE ①; SELECT 1; END;", ["state"], not: ["name"]),
    Case("q: BEGIN DELETE FROM orders; SELECT ① FROM customer; END;", ["name"], not: ["state"]),
    Case("q: BEGIN DELETE FROM orders; ①; END;", ["SELECT", "UPDATE"], not: ["name"]),
    Case("q: BEGIN DELETE FROM orders WHERE ①", ["state"], not: ["name"]),
    Case(
      "q: BEGIN DELETE FROM orders WHERE ①;\nr: BEGIN SELECT name FROM customer; END;", ["state"],
      not: ["name"]),
    Case("DEFINE QUERY q AS BEGIN SELECT 1; SELECT ① FROM customer;", ["name"], not: ["state"]),
    Case("q: SELECT name FROM customer ORDER BY ①", ["name", "email"]),
    Case("q: SELECT name AS who FROM customer ORDER BY ①", ["who"]),
    Case("q: SELECT name FROM customer ORDER BY name COLLATE ①", ["NOCASE", "BINARY", "RTRIM"]),
    Case("q: SELECT :limit FROM customer LIMIT :①", [":limit"]),
    Case("q: SELECT CAST(id AS ①", ["TEXT", "INTEGER"], not: ["name"]),
    Case("q: SELECT 1 AS ①", [], not: ["name", "SELECT"]),
    Case("q: SELECT 'na①me' FROM customer;", [], not: ["name"]),
    Case("q: SELECT 1 -- na①me\nFROM customer;", [], not: ["name"]),
    Case(
      "q: SELECT name FROM customer c JOIN ①", ["orders", "orders ON orders.customer_id = c.id"]),
    Case("q: SELECT 1 FROM orders JOIN ①", ["customer ON customer.id = orders.customer_id"]),
    Case("q: SELECT 1 FROM customer JOIN orders USING (①", ["id"], not: ["name"]),
    Case("q: INSERT INTO customer (id) VALUES (1) ON CONFLICT (①", ["id", "name"]),
    Case(
      "q: INSERT INTO customer (id, name) VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET name = excluded.①",
      ["name", "city"]),
    Case(
      "q: SELECT 1 FROM customer WHERE name ①", ["LIKE", "IS NULL", "IN", "AND"], not: ["FROM"]),
    Case("q: SELECT * FROM customer; r: SELECT ① FROM orders;", ["state"], not: ["name"]),
    Case("q: SELECT (1 + ① FROM customer;", ["name"]),
    Case("q: SELECT CASE WHEN ① FROM customer;", ["name"]),
    Case("q: SELECT count(①) FROM customer;", ["name"]),
  ])
  func `offers what the place allows`(_ expected: Case) throws {
    var shop = try MarkedShop(expected.text)
    let labels = shop.completions().map(\.label)
    for label in expected.offered { #expect(labels.contains(label), "\(label) of \(labels)") }
    for label in expected.missing { #expect(!labels.contains(label), "\(label)") }
  }

  @Test func `quotes a name if it must be, or if a quote is begun`() throws {
    let workspace = try Workspace([
      "Migrations/1.sql": "CREATE TABLE t (\"order\" TEXT, \"two words\" TEXT, plain TEXT);",
      "Queries/Q.sql": "q: SELECT  FROM t;\nr: SELECT \" FROM t;",
    ])
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Q.sql"
    func texts(_ offset: Int) -> [String] {
      (host.withProject(of: path) { $0.completions(path, at: ByteOffset(offset)) } ?? nil)?.items
        .filter { $0.kind == .column }.map(\.text) ?? []
    }
    #expect(texts(10) == ["\"order\"", "\"two words\"", "plain"])
    #expect(texts(30) == ["\"order\"", "\"two words\"", "\"plain\""])
  }

  @Test func `in a trigger offers NEW and OLD`() throws {
    let workspace = try Shop.workspace()
    let marked = MarkedText(
      "CREATE TRIGGER x AFTER UPDATE ON orders BEGIN UPDATE orders SET total = NEW.① WHERE id = 1; END;"
    )
    try workspace.write(marked.text, to: "Migrations/003_trigger.sql")
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Migrations/003_trigger.sql"
    let offset = marked.offsets[0]
    let list = host.withProject(of: path) { $0.completions(path, at: offset) } ?? nil
    #expect(list?.items.map(\.label).contains("state") == true)
  }

  @Test func `in a migration offers the tables of the statements before it`() throws {
    let workspace = try Shop.workspace()
    let marked = MarkedText("CREATE TABLE extra (one, two); CREATE INDEX i ON extra (①")
    try workspace.write(marked.text, to: "Migrations/003_extra.sql")
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Migrations/003_extra.sql"
    let offset = marked.offsets[0]
    let list = host.withProject(of: path) { $0.completions(path, at: offset) } ?? nil
    #expect(list?.items.map(\.label) == ["one", "two"])
  }

  /// Queries that are cut off at each of their bytes.
  static let queries = [
    "SELECT id, name FROM customer WHERE email IS NOT NULL ORDER BY name LIMIT 5",
    "SELECT c.name, count(o.id) AS n FROM customer AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id HAVING count(o.id) > 1",
    "WITH t AS (SELECT customer_id, sum(total) AS amount FROM orders GROUP BY customer_id) SELECT name, amount FROM t JOIN customer ON customer.id = t.customer_id",
    "INSERT INTO customer (name, email) VALUES ('a', 'b') ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id, name",
    "UPDATE orders SET state = 'paid', total = total + 1 WHERE id IN (SELECT id FROM open_orders) RETURNING total",
    "SELECT CASE WHEN total > 1 THEN state ELSE 'x' END FROM orders WHERE (total, id) > (1, 2)",
    "DELETE FROM orders WHERE customer_id = (SELECT id FROM customer WHERE name LIKE 'a%')",
  ]

  /// Returns whether an operand of a select list begins at the end of a text.
  private func isOperand(_ prefix: String) -> Bool {
    guard let list = prefix.firstRange(of: "SELECT "), !prefix.contains("'"),
      !prefix[list.upperBound...].contains(" FROM ")
    else { return false }
    let last = Lexer.tokenize(SourceText(prefix)).tokens.dropLast().last?.kind
    let starts: [TokenKind?] = [.select, .comma, .leftParenthesis, .when, .then, .else]
    return starts.contains(last) && !(prefix.last?.isLetter ?? false)
  }

  @Test(arguments: queries)
  func `offers only names that can be inserted`(_ query: String) throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Queries/Prefix.sql"
    host.open(path, text: "", version: 1)
    var expected = 0
    var found = 0
    var missed: [String] = []
    for length in stride(from: 0, through: query.utf8.count, by: OpenCorpora.isWhole ? 1 : 3) {
      let prefix = String(decoding: query.utf8.prefix(length), as: UTF8.self)
      // The rest of the statement follows, or does not.
      for rest in ["", String(decoding: query.utf8.dropFirst(length), as: UTF8.self)] {
        let text = "q: \(prefix)\(rest)"
        host.change(path, [DocumentChange(range: nil, text: text)], version: nil)
        let offset = ByteOffset(3 + length)
        let list = host.withProject(of: path) { $0.completions(path, at: offset) } ?? nil
        guard let list else { continue }
        let columns = list.items.filter { $0.kind == .column }
        // Where an operand of the select list begins, the columns are known from the clause after it.
        if isOperand(prefix), rest.contains(" FROM "), rest.first?.isLetter != true {
          expected += 1
          if columns.isEmpty { missed.append(prefix) } else { found += 1 }
        }
        // One column stands for all of them.
        guard let column = columns.first else { continue }
        // A word directly after the cursor would become one with the name.
        if let next = text.utf8.dropFirst(list.span.end.value).first,
          Character(Unicode.Scalar(next)).isLetter || next == 0x5F || next == 0x2E
        {
          continue
        }
        var bytes = Array(text.utf8)
        bytes.replaceSubrange(list.span.range, with: column.text.utf8)
        host.change(
          path, [DocumentChange(range: nil, text: String(decoding: bytes, as: UTF8.self))],
          version: nil)
        host.finish()
        let place = list.span.start..<list.span.start.advanced(by: column.text.utf8.count)
        let unknown = host.diagnostics(of: path).filter {
          ["unknown-column", "unknown-table", "ambiguous-column"].contains($0.identity.rawValue)
            && $0.span.start < place.upperBound && place.lowerBound < $0.span.end
        }
        #expect(unknown.isEmpty, "\(column.text) in \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(found >= expected * 95 / 100, "\(missed)")
  }
}

@Suite struct `Signature help` {
  @Test(arguments: [
    ("q: SELECT substr(①", "substr(x, y[, z])", 0),
    ("q: SELECT substr(name, ①", "substr(x, y[, z])", 1),
    ("q: SELECT substr(abs(1), ①", "substr(x, y[, z])", 1),
    ("q: INSERT INTO orders (state, total) VALUES (1, ①", "orders(state, total)", 1),
    ("q: INSERT INTO orders (state, total) VALUES (1, 2), (①", "orders(state, total)", 0),
  ])
  func `shows the argument`(_ text: String, _ label: String, _ argument: Int) throws {
    let shop = try MarkedShop(text)
    var host = shop.host
    let help = host.withProject(of: shop.path) { $0.callSignatures(shop.path, at: shop.mark(1)) }
    let found = try #require(help ?? nil)
    #expect(found.signatures.map(\.label).contains(label))
    #expect(found.argument == argument)
  }
}
