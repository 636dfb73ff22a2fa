import QueryGenLanguage
import QueryGenTestSupport
import SQLSyntax
import Testing

@Suite struct `Semantic tokens` {
  @Test func `distinguish the kinds of name`() throws {
    let text = """
      -- All.
      q: WITH t AS (SELECT 1 AS one)
      SELECT c.name, email, sum(o.total), :p, 'x', t.one
      FROM customer c JOIN open_orders o2 JOIN orders o JOIN t;
      """
    let shop = try MarkedShop(text)
    var host = shop.host
    let tokens = host.withProject(of: shop.path) { $0.semanticTokens(shop.path) } ?? []
    let source = SourceText(text)
    func kind(_ word: String) -> SemanticToken? { tokens.first { source[$0.span] == word } }
    #expect(kind("-- All.")?.kind == .comment)
    #expect(kind("q")?.kind == .query)
    #expect(kind("q")?.isDeclaration == true)
    #expect(kind("t")?.kind == .commonTable)
    #expect(kind("SELECT")?.kind == .keyword)
    #expect(kind("c")?.kind == .alias)
    #expect(kind("name")?.kind == .column)
    #expect(kind("name")?.isNullable == false)
    #expect(kind("email")?.isNullable == true)
    #expect(kind("sum")?.kind == .function)
    #expect(kind(":p")?.kind == .parameter)
    #expect(kind("'x'")?.kind == .string)
    #expect(kind("customer")?.kind == .table)
    #expect(kind("open_orders")?.kind == .view)
    #expect(kind("1")?.kind == .number)
    #expect(zip(tokens, tokens.dropFirst()).allSatisfy { $0.span.end <= $1.span.start })
  }
}

@Suite struct `Hints and lenses` {
  @Test func `show the Swift types of queries`() throws {
    let text = "q: SELECT name, email FROM customer WHERE city = ? AND id = :id;"
    let shop = try MarkedShop(text)
    var host = shop.host
    let hints =
      host.withProject(of: shop.path) { $0.hints(shop.path, in: SourceText(text).span) } ?? []
    #expect(hints.map(\.text) == [": String", ": String?", "city: String", ": Int"])
    let lenses = host.withProject(of: shop.path) { $0.lenses(shop.path) } ?? []
    #expect(lenses.map(\.title) == ["q(city: String, id: Int) -> QRow?"])
  }

  @Test func `show the parameters of a block once, and the result of its last statement`() throws {
    let text = """
      q: BEGIN
        UPDATE customer SET name = :name WHERE id = :id;
        INSERT INTO customer (name, city) VALUES :people;
        SELECT city, name FROM customer WHERE id = :id;
      END;
      """
    let shop = try MarkedShop(text)
    var host = shop.host
    let hints =
      host.withProject(of: shop.path) { $0.hints(shop.path, in: SourceText(text).span) } ?? []
    #expect(
      hints.map(\.text) == [": String", ": Int", ": [QPerson]", ": String?", ": String"])
    let lenses = host.withProject(of: shop.path) { $0.lenses(shop.path) } ?? []
    #expect(lenses.map(\.title) == ["q(name: String, id: Int, people: [QPerson]) -> QRow?"])
    let tokens = host.withProject(of: shop.path) { $0.semanticTokens(shop.path) } ?? []
    let kinds = tokens.filter { [":id", ":people", "city"].contains(SourceText(text)[$0.span]) }
      .map(\.kind)
    #expect(kinds == [.parameter, .column, .parameter, .column, .parameter])
  }

  @Test func `are those of the generated code`() throws {
    let shop = try MarkedShop("q: SELECT count(*) FROM customer;\nr: SELECT * FROM customer;")
    var host = shop.host
    let lenses = host.withProject(of: shop.path) { $0.lenses(shop.path) } ?? []
    #expect(lenses.map(\.title) == ["q() -> Int", "r() -> [Customer]"])
  }
}

@Suite struct `Symbols and layout` {
  @Test func `list queries, tables and columns`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    func symbols(_ name: String) -> [String] {
      let path = "\(workspace.path)/\(name)"
      return (host.withProject(of: path) { $0.symbols(of: path) } ?? []).map { symbol in
        symbol.name + (symbol.children.isEmpty ? "" : " \(symbol.children.map(\.name))")
      }
    }
    #expect(symbols("Queries/Customer.sql") == ["customers", "customer", "ordersOfCustomers"])
    #expect(
      symbols("Migrations/001_shop.sql") == [
        "customer [\"id\", \"name\", \"email\"]",
        "orders [\"id\", \"customer_id\", \"state\", \"total\"]", "orders_by_customer",
      ])
    #expect(symbols("Migrations/002_views.sql") == ["city", "open_orders", "paid"])
  }

  @Test func `find symbols by some of their letters`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let path = host.paths[0]
    let found = host.withProject(of: path) { $0.symbols(matching: "opord") } ?? []
    #expect(found.map(\.symbol.name) == ["openOrders", "open_orders"])
  }

  @Test func `fold statements, parentheses and comments`() throws {
    let text = """
      -- One
      -- two.
      q:
      SELECT (
        1
      );
      """
    let shop = try MarkedShop(text)
    var host = shop.host
    let positions = PositionMap(Array(text.utf8), encoding: .utf16)
    let folds = host.withProject(of: shop.path) { $0.folds(of: shop.path, positions) } ?? []
    #expect(
      folds.map { "\($0.lines.lowerBound)-\($0.lines.upperBound)\($0.isComment ? " comment" : "")" }
        == ["0-1 comment", "2-5", "3-4"])
  }

  @Test func `select ever larger parts`() throws {
    let shop = try MarkedShop("q: SELECT sum(to①tal + 1) FROM orders WHERE id = 1;")
    var host = shop.host
    let spans = host.withProject(of: shop.path) { $0.selections(shop.path, at: shop.mark(1)) } ?? []
    let source = SourceText(shop.marked.text)
    #expect(
      spans.map { source[$0] } == [
        "total", "total + 1", "(total + 1)", "SELECT sum(total + 1)",
        "q: SELECT sum(total + 1) FROM orders WHERE id = 1;",
      ])
  }

  @Test func `format only the lines that change`() throws {
    let text = "a:\nSELECT 1;\n\nb:\nselect 2;\n\nc:\nSELECT 3;\n"
    let shop = try MarkedShop(text)
    var host = shop.host
    let changes = host.withProject(of: shop.path) { $0.format(shop.path) } ?? []
    let source = SourceText(text)
    #expect(changes.map { source[$0.span] } == ["select 2;\n"])
    #expect(changes.map(\.replacement) == ["SELECT 2;\n"])
  }
}

@Suite struct `Unused names` {
  @Test func `are common tables, aliases and windows`() throws {
    let text = """
      q: WITH a AS (SELECT 1), b AS (SELECT 2 AS two)
      SELECT two, o.*, name, rank() OVER w1
      FROM b, orders o, customer c1
      WINDOW w1 AS (ORDER BY two), w2 AS (ORDER BY o.id);
      """
    let shop = try MarkedShop(text)
    var host = shop.host
    let found = host.withProject(of: shop.path) { $0.unusedNames(shop.path) } ?? []
    #expect(found.map { SourceText(text)[$0.span] } == ["a", "c1", "w2"])
  }
}
