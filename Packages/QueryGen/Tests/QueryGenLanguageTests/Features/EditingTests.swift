import QueryGenDriver
import QueryGenLanguage
import QueryGenTestSupport
import SQLSemantics
import SQLSyntax
import Testing

extension MarkedShop {
  mutating func rename(_ number: Int, to name: String) throws(RenameFailure) -> Rename {
    try rename(path, at: mark(number), to: name)
  }

  mutating func rename(
    _ path: String, at offset: ByteOffset, to name: String
  ) throws(RenameFailure) -> Rename {
    let result: Result<Rename, RenameFailure>? = host.withProject(of: path) { project in
      do throws(RenameFailure) {
        return .success(try project.rename(path, at: offset, to: name))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw RenameFailure("no project") }
    return try result.get()
  }

  /// The text of a file after changes.
  func text(_ name: String, after rename: Rename) -> String {
    let path = "\(workspace.path)/\(name)"
    guard var bytes = host.projects[workspace.path]?.file(path)?.source.bytes else { return "" }
    for change in (rename.changes[path] ?? []).reversed() {
      bytes.replaceSubrange(change.span.range, with: change.replacement.utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

@Suite struct `A rename` {
  @Test(arguments: [
    (
      "q: SELECT ①c.id FROM customer AS c WHERE c.id = 1;", "x",
      "q: SELECT x.id FROM customer AS x WHERE x.id = 1;"
    ),
    (
      "q: WITH t AS (SELECT 1 AS a) SELECT a FROM ①t;", "two words",
      "q: WITH \"two words\" AS (SELECT 1 AS a) SELECT a FROM \"two words\";"
    ),
    ("q: SELECT :①a, :a;", "b", "q: SELECT :b, :b;"),
    ("q①: SELECT 1;", "r", "r: SELECT 1;"),
    (
      "q: BEGIN INSERT INTO orders VALUES (:①a.*); INSERT INTO orders VALUES (:a.*); END;", "b",
      "q: BEGIN INSERT INTO orders VALUES (:b.*); INSERT INTO orders VALUES (:b.*); END;"
    ),
    ("q①: BEGIN SELECT 1; SELECT 2; END;", "r", "r: BEGIN SELECT 1; SELECT 2; END;"),
    (
      "q: SELECT id AS ①x FROM customer ORDER BY x;", "y",
      "q: SELECT id AS y FROM customer ORDER BY y;"
    ),
  ])
  func `of a local name changes its statement`(_ text: String, _ name: String, _ after: String)
    throws
  {
    var shop = try MarkedShop(text)
    let rename = try shop.rename(1, to: name)
    #expect(shop.text("Queries/Marked.sql", after: rename) == after)
    #expect(rename.changes.count == 1)
    #expect(rename.newFile == nil)
  }

  @Test(arguments: [
    ("q: SELECT ①c.id FROM customer AS c, orders AS o WHERE o.id = c.id;", "o"),
    ("q: SELECT n①ame FROM customer;", "email"),
    ("q: SELECT 1 FROM cust①omer;", "orders"),
  ])
  func `to a name in use is refused`(_ text: String, _ name: String) throws {
    var shop = try MarkedShop(text)
    #expect(throws: RenameFailure.self) { try shop.rename(1, to: name) }
  }

  @Test(arguments: ["q: SELECT su①m(total) FROM orders;", "q: SELECT ①?;", "q: SEL①ECT 1;"])
  func `of something else is refused`(_ text: String) throws {
    var shop = try MarkedShop(text)
    #expect(throws: RenameFailure.self) { try shop.rename(1, to: "x") }
  }

  @Test func `of a column in a new migration changes that migration`() throws {
    var shop = try MarkedShop("q: SELECT st①ate FROM orders;")
    let rename = try shop.rename(1, to: "status")
    #expect(rename.newFile == nil)
    #expect(
      shop.text("Migrations/001_shop.sql", after: rename)
        .contains("status TEXT NOT NULL CHECK (status IN ('open', 'paid'))"))
    #expect(
      shop.text("Migrations/002_views.sql", after: rename).contains("UPDATE OF status ON orders"))
    #expect(shop.text("Queries/Order.sql", after: rename).contains("(customer_id, status)"))
  }

  @Test func `of a column in a released migration proposes a new one`() throws {
    var shop = try MarkedShop("q: SELECT cust①omer_id FROM orders;")
    #expect(Driver(DriverOptions(path: shop.workspace.path)).lockMigrations().locked.count == 2)
    shop.host.filesChanged()
    let rename = try shop.rename(1, to: "buyer")
    let file = try #require(rename.newFile)
    #expect(
      shop.workspace.short(file.path) == "Migrations/003_rename_customer_id_to_buyer.sql")
    #expect(file.text == "ALTER TABLE orders RENAME COLUMN customer_id TO buyer;\n")
    #expect(rename.changes.keys.allSatisfy { !$0.contains("/Migrations/") })
    #expect(shop.text("Queries/Customer.sql", after: rename).contains("SELECT buyer, sum(total)"))
    #expect(rename.note != nil)
  }

  @Test func `of a table under an earlier name renames the table as it is now`() throws {
    var shop = try MarkedShop("q: SELECT 1 FROM purchase;")
    try shop.workspace.write(
      "ALTER TABLE orders RENAME TO purchase;\n", to: "Migrations/003_purchase.sql")
    shop.host.filesChanged()
    let path = "\(shop.workspace.path)/Migrations/001_shop.sql"
    let source = try #require(shop.host.projects[shop.workspace.path]?.file(path)?.source)
    let range = try #require(source.bytes.firstRange(of: Array("orders".utf8)))
    let rename = try shop.rename(path, at: ByteOffset(range.lowerBound), to: "sale")
    #expect(rename.newFile?.text == "ALTER TABLE purchase RENAME TO sale;\n")
    #expect(
      shop.workspace.short(rename.newFile?.path ?? "")
        == "Migrations/004_rename_purchase_to_sale.sql")
    #expect(shop.text("Queries/Marked.sql", after: rename) == "q: SELECT 1 FROM sale;")
    #expect(rename.changes.keys.allSatisfy { !$0.contains("/Migrations/") })
  }

  @Test func `of a table also changes the configuration`() throws {
    var shop = try MarkedShop("q: SELECT 1 FROM ord①ers;")
    try shop.workspace.write("tables:\n  orders:\n    name: Purchase\n", to: "querygen.yaml")
    shop.host.filesChanged()
    let rename = try shop.rename(1, to: "purchases")
    #expect(
      shop.text("querygen.yaml", after: rename) == "tables:\n  purchases:\n    name: Purchase\n")
  }
}

@Suite struct `Every rename` {
  @Test func `and its reverse restore the texts`() throws {
    let workspace = try Shop.workspace()
    var host = LanguageHost(workspace)
    let original = host.paths.map { host.projects[workspace.path]?.file($0)?.source }
    var renamed = 0
    for path in host.paths {
      let spans =
        host.withProject(of: path) { project in
          project.trace(path).entries.flatMap(\.trace.references).map(\.span)
        } ?? []
      for span in spans {
        guard let there = try rename(&host, path, at: span.start, to: "fresh_name") else {
          continue
        }
        apply(there, &host)
        // The place has moved by the changes before it in the file.
        let moved = (there.changes[path] ?? []).filter { $0.span.start < span.start }
          .reduce(0) { $0 + $1.replacement.utf8.count - $1.span.count }
        let place = span.start.advanced(by: moved)
        let old = try #require(there.oldName)
        let back = try #require(try rename(&host, path, at: place, to: old), "\(old) in \(path)")
        apply(back, &host)
        let texts = host.paths.map { host.projects[workspace.path]?.file($0)?.source }
        try #require(texts == original, "\(old) in \(workspace.short(path))")
        renamed += 1
      }
    }
    #expect(renamed > 40)
  }

  private struct Renamed {
    var changes: [String: [TextChange]]
    var oldName: String?
  }

  private func rename(
    _ host: inout LanguageHost, _ path: String, at offset: ByteOffset, to name: String
  ) throws -> Renamed? {
    host.withProject(of: path) { project -> Renamed? in
      guard let (_, old) = try? project.renamable(path, at: offset),
        let rename = try? project.rename(path, at: offset, to: name), rename.newFile == nil
      else { return nil }
      return Renamed(changes: rename.changes, oldName: old)
    } ?? nil
  }

  private func apply(_ rename: Renamed, _ host: inout LanguageHost) {
    for (path, changes) in rename.changes {
      guard var bytes = host.projects[host.projectRoot(of: path) ?? ""]?.file(path)?.source.bytes
      else { continue }
      for change in changes.reversed() {
        bytes.replaceSubrange(change.span.range, with: change.replacement.utf8)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      if host.documents[path] == nil {
        host.open(path, text: text, version: 1)
      } else {
        host.change(path, [DocumentChange(range: nil, text: text)], version: 2)
      }
    }
    host.finish()
  }
}

@Suite struct `Code actions` {
  @Test(arguments: [
    (
      "CREATE TABLE a (\n  ①added INTEGER NOT NULL,\n  b TEXT\n);",
      "Declare `added` as Date",
      "CREATE TABLE a (\n  added INTEGER NOT NULL, -- AS Date\n  b TEXT\n);"
    ),
    (
      "CREATE TABLE a (\n  a INTEGER NOT NULL,\n  key BL①OB\n);", "Declare `key` as UUID",
      "CREATE TABLE a (\n  a INTEGER NOT NULL,\n  key BLOB -- AS UUID\n);"
    ),
    (
      "CREATE TABLE a (①b TEXT, c TEXT); -- x", "Declare `b` as URL",
      "CREATE TABLE a (b TEXT /* AS URL */, c TEXT); -- x"
    ),
    (
      "ALTER TABLE orders ADD COLUMN ①paid INTEGER;", "Declare `paid` as Bool",
      "ALTER TABLE orders ADD COLUMN paid INTEGER /* AS Bool */;"
    ),
  ])
  func `declare the Swift type of a column`(_ text: String, _ title: String, _ after: String)
    throws
  {
    let marked = MarkedText(text)
    let workspace = try Workspace(
      Shop.files.merging(["Migrations/003.sql": marked.text], uniquingKeysWith: { $1 }))
    var host = LanguageHost(workspace)
    let path = "\(workspace.path)/Migrations/003.sql"
    func actions() -> [CodeAction] {
      let span = ByteSpan(marked.offsets[0], marked.offsets[0])
      return host.withProject(of: path) { $0.actions(path, in: span) } ?? []
    }
    let action = try #require(actions().first { $0.title == title })
    var bytes = Array(marked.text.utf8)
    for change in action.changes {
      bytes.replaceSubrange(change.span.range, with: change.replacement.utf8)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == after)
    // The annotation applies to the column, which has no second one.
    host.open(path, text: after, version: 1)
    host.finish()
    #expect(host.report(workspace) == [])
    #expect(!actions().contains { $0.title.hasPrefix("Declare") })
  }

  private func actions(_ text: String) throws -> [(title: String, text: String)] {
    var shop = try MarkedShop(text)
    let (path, offset) = (shop.path, shop.mark(1))
    let found =
      shop.host.withProject(of: path) { $0.actions(path, in: ByteSpan(offset, offset)) } ?? []
    return found.map { action in
      let rename = Rename(changes: [path: action.changes])
      return (action.title, shop.text("Queries/Marked.sql", after: rename))
    }
  }

  @Test(arguments: [
    (
      "q: SELECT nm①ae FROM customer;", "Replace `nmae` with `name`",
      "q: SELECT name FROM customer;"
    ),
    (
      "-- All.\nq: SELECT sum(total) > ①:least FROM orders;", "Declare `:least` as Date",
      "-- All.\n-- type: :least AS Date\nq: SELECT sum(total) > :least FROM orders;"
    ),
    (
      "p: SELECT 1; q: SELECT 'a' LIKE ①:n;", "Declare `:n` as URL",
      "p: SELECT 1; \n-- type: :n AS URL\nq: SELECT 'a' LIKE :n;"
    ),
    (
      "q: SELECT ①* FROM customer;", "Expand `*` to 4 columns",
      "q: SELECT id, name, email, city FROM customer;"
    ),
    (
      "q: SELECT o.①* FROM customer c JOIN open_orders o ON o.customer_id = c.id;",
      "Expand `o.*` to 2 columns",
      "q: SELECT o.id, o.customer_id FROM customer c JOIN open_orders o ON o.customer_id = c.id;"
    ),
    (
      "q: SELECT ①* FROM open_orders JOIN orders USING (id);", "Expand `*` to 5 columns",
      "q: SELECT open_orders.id, open_orders.customer_id, orders.customer_id, orders.state, orders.total FROM open_orders JOIN orders USING (id);"
    ),
    (
      "q: SELECT orders.id, orders.* FROM ord①ers, customer o WHERE orders.id = o.id;",
      "Add the alias `o2`",
      "q: SELECT o2.id, o2.* FROM orders AS o2, customer o WHERE o2.id = o.id;"
    ),
    (
      "q: SELECT t.n FROM (SELECT count(*) AS n FROM cust①omer) AS t WHERE n > 1;",
      "Extract the common table `t`",
      "q: WITH t AS (SELECT count(*) AS n FROM customer) SELECT t.n FROM t WHERE n > 1;"
    ),
    (
      "q: WITH a AS (SELECT 1) SELECT * FROM a, (SELECT ①2) t;",
      "Extract the common table `t`",
      "q: WITH a AS (SELECT 1), t AS (SELECT 2) SELECT * FROM a, t;"
    ),
    ("q: SELECT na①me FROM customer c;", "Qualify with `c`", "q: SELECT c.name FROM customer c;"),
    ("q: SELECT na①me FROM customer;", "Quote the name", "q: SELECT \"name\" FROM customer;"),
  ])
  func `change the text`(_ text: String, _ title: String, _ after: String) throws {
    let found = try actions(text)
    let action = try #require(found.first { $0.title == title }, "\(found.map(\.title))")
    #expect(action.text == after)
  }

  @Test func `fix all errors at once`() throws {
    let found = try actions("q: SELECT nm①ae, emial FROM custmer;\nr: SELECT nmae FROM customer;")
    let action = try #require(found.first { $0.title.hasPrefix("Apply all") })
    #expect(action.text.hasSuffix("r: SELECT name FROM customer;"))
  }
}
