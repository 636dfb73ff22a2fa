import Router
import SQLiteCore
import Testing

@Suite struct `Filters` {
  struct Case: Sendable, CustomTestStringConvertible {
    let filter: Filter
    let ids: Set<Int>
    var testDescription: String { "\(filter)" }

    init(_ filter: Filter, _ ids: Set<Int>) {
      self.filter = filter
      self.ids = ids
    }
  }

  static let schema = #"""
    CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, tags TEXT);
    INSERT INTO row VALUES
      (1, 'Anna', 1, '["a", "b"]'), (2, 'anton', 2, '["a"]'), (3, 'Bo%b', NULL, '[]'),
      (4, NULL, 0, NULL), (5, 'x[y]*?', 5, '{"a": 1}'), (6, 'Ünna', 6, '[1, null]');
    """#

  static let name = Column("name")
  static let rank = Column("rank")
  static let tags = Column("tags")

  static let cases: [Case] = [
    Case(.all, [1, 2, 3, 4, 5, 6]),
    Case(rank.equals(1), [1]),
    Case(rank.equals(1.0), [1]),
    Case(rank.notEquals(1), [2, 4, 5, 6]),
    Case(rank.greaterThan(2), [5, 6]),
    Case(rank.greaterThanOrEquals(2), [2, 5, 6]),
    Case(rank.lessThan(1), [4]),
    Case(rank.lessThanOrEquals(1), [1, 4]),
    Case(rank.between(1, 5), [1, 2, 5]),
    Case(rank.isNull(), [3]),
    Case(rank.isNotNull(), [1, 2, 4, 5, 6]),
    Case(rank.isTrue(), [1, 2, 5, 6]),
    Case(rank.isFalse(), [4]),
    Case(rank.in([1, 5, 99]), [1, 5]),
    Case(rank.in([Int]()), []),
    Case(rank.notIn(1, 5), [2, 4, 6]),
    Case(rank.notIn([Int]()), [1, 2, 3, 4, 5, 6]),
    Case(rank.isDistinct(from: 1), [2, 3, 4, 5, 6]),
    Case(rank.isDistinct(from: Int?.none), [1, 2, 4, 5, 6]),
    Case(rank.isNotDistinct(from: Int?.none), [3]),
    Case(rank.isNotDistinct(from: 2), [2]),
    Case(rank.any(.lessThan, [1, 2]), [1, 4]),
    Case(rank.each(.greaterThan, [1, 2]), [5, 6]),
    Case(rank.any(.equals, [Int]()), []),
    // `like` is case-sensitive, `iLike` is not.
    Case(name.like("A%"), [1]),
    Case(name.iLike("A%"), [1, 2]),
    Case(name.like("_nna"), [1, 6]),
    Case(name.like(#"Bo\%b"#), [3]),
    Case(name.iLike(#"bo\%b"#), [3]),
    Case(name.like("%*?"), [5]),
    Case(name.like("x[y]%"), [5]),
    Case(name.hasPrefix("x["), [5]),
    Case(name.hasSuffix("na"), [1, 6]),
    Case(name.containsText("%"), [3]),
    Case(name.like(anyOf: ["A%", "x%"]), [1, 5]),
    Case(name.iLike(allOf: ["a%", "%n"]), [2]),
    Case(name.equals("Anna") || rank.equals(2), [1, 2]),
    Case(!name.like("A%"), [2, 3, 5, 6]),
    Case(!(rank.equals(1) && name.isNotNull()), [2, 4, 5, 6]),
    Case(tags.contains(["a"]), [1, 2]),
    Case(tags.contains(["a", "b"]), [1]),
    Case(tags.contains([String]()), [1, 2, 3, 6]),
    Case(tags.containedBy(["a"]), [2, 3]),
    Case(tags.overlaps(["b", "c"]), [1]),
    Case(!tags.overlaps(["b"]), [2, 3, 6]),
    Case(tags.at(0).equals("a"), [1, 2]),
    Case(tags.at("a").equals(1), [5]),
    Case(tags.contains([1]), [6]),
  ]

  @Test(arguments: cases)
  func `have the same meaning in SQLite`(_ expected: Case) async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let route = DatabaseRoute.fetch(from: "row", filteredBy: expected.filter).selecting("id")
    // Twice: the second run uses the cached text.
    for _ in 1...2 {
      #expect(Set(try await executor.values(Int.self, for: route)) == expected.ids)
    }
  }

  static let invalid: [Filter] = [
    Filter(column: "rank", operator: .equals, value: SQLiteValue.null),
    Filter(column: "rank", operator: .lessThan, value: SQLiteValue.real(.nan)),
    rank.in([SQLiteValue.null]), rank.notIn([SQLiteValue.integer(1), .null]),
    .and([]), .or([]), .not(.or([])), name.like(#"a\"#), name.iLike("a\0b"),
    Filter(column: "name", operator: .like, value: 5),
    Filter(column: "rank", operator: .in, value: 5),
    Filter(column: "rank", operator: .isNull, value: 5),
    rank.equals(UInt64.max),
    tags.at(-1).equals(1),
    rank.isNotDistinct(from: UInt64.max), rank.isDistinct(from: Double.nan),
    rank.isNotDistinct(from: SQLiteValue.real(.nan)), rank.any(.isNotDistinct, [UInt64.max]),
    rank.each(.isDistinct, [Double.nan]), rank.in([SQLiteValue.real(.nan)]),
    Filter(column: "rank", operator: .isNotDistinct, value: SQLiteValue.real(.nan)),
  ]

  @Test(arguments: invalid)
  func `that are invalid are refused`(_ filter: Filter) async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let route = DatabaseRoute.fetch(from: "row", filteredBy: filter)
    #expect(await code { _ = try await executor.run(route) } == .invalidRoute)
  }

  @Test func `that are invalid are refused even if their text is cached`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    _ = try await executor.run(.fetch(from: "row", filteredBy: Self.rank.equals(1.5)))
    for value in [SQLiteValue.null, .real(.nan)] {
      let filter = Filter(column: "rank", operator: .equals, value: value)
      let route = DatabaseRoute.fetch(from: "row", filteredBy: filter)
      #expect(await code { _ = try await executor.run(route) } == .invalidRoute)
    }
  }

  @Test func `find the key by the name id in any case, cached or not`() async throws {
    let executor = SQLiteRouteExecutor(
      try database("CREATE TABLE t (uuid INTEGER PRIMARY KEY); INSERT INTO t VALUES (1);"))
    for name in ["ID", "id", "Id", "ID"] {
      let route = DatabaseRoute.fetch(from: "t", filteredBy: Column(name).equals(1))
      #expect(try await executor.run(route).rows == [[1]])
    }
  }

  @Test func `suggest the intended column`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let wrong = DatabaseRoute.fetch(from: "row", filteredBy: Column("rnak").equals(1), routeId: "r")
    let error = try await #require(throws: RouterError.self) { try await executor.run(wrong) }
    #expect(error.code == .unknownColumn)
    #expect(error.column == "rnak")
    #expect(error.table == "row")
    #expect(error.routeId == "r")
    #expect(error.message.contains("did you mean rank?"))
    #expect(await code { _ = try await executor.run(.fetch(from: "rows")) } == .unknownTable)
    #expect(
      await code { _ = try await executor.run(.fetch(from: "sqlite_master")) } == .unknownTable)
  }

  @Test func `that SQLite lacks are unsupported, unless the connection adds them`() async throws {
    let database = try database(Self.schema)
    let executor = SQLiteRouteExecutor(database)
    let route = DatabaseRoute.fetch(from: "row", filteredBy: Self.name.matches("^An"))
    #expect(await code { _ = try await executor.run(route) } == .unsupported)
    let strange = Filter(column: "name", operator: .init(rawValue: "adj"), value: 1)
    #expect(
      await code { _ = try await executor.run(.fetch(from: "row", filteredBy: strange)) }
        == .unsupported)
    let search = DatabaseRoute.fetch(from: "row", filteredBy: Self.name.search("x"))
    #expect(await code { _ = try await executor.run(search) } == .unsupported)
    try await database.write { connection in
      try connection.register("regexp", argumentCount: 2) { arguments in
        guard case .text(let pattern) = arguments[0], case .text(let text) = arguments[1] else {
          return .null
        }
        return .integer(text.hasPrefix(pattern.dropFirst()) ? 1 : 0)
      }
    }
    #expect(try await executor.run(route).rows.count == 1)
  }

  @Test func `have a limit of conditions, but lists of any length`() async throws {
    let executor = SQLiteRouteExecutor(try database(Self.schema))
    let many = Filter.or((1...501).map { Self.rank.equals($0) })
    #expect(
      await code { _ = try await executor.run(.fetch(from: "row", filteredBy: many)) }
        == .invalidRoute)
    let list = Self.rank.in(1...50_000)
    #expect(try await executor.run(.fetch(from: "row", filteredBy: list)).rows.count == 4)
  }

  @Test func `search full text, and do not interpret input as operators`() async throws {
    let executor = SQLiteRouteExecutor(
      try database(
        """
        CREATE VIRTUAL TABLE doc USING fts5(title, body);
        INSERT INTO doc (rowid, title, body) VALUES
          (1, 'red fox', 'quick and lazy'), (2, 'dog', 'red and blue'), (3, 'cat', 'NEAR title fox');
        """))
    func found(_ column: Column, _ text: String, _ kind: DatabaseRoute.Operator) async throws
      -> Set<String>
    {
      let route = DatabaseRoute.fetch(from: "doc", filteredBy: column.search(text, as: kind))
      return Set(try await executor.values(String.self, for: route.selecting("title")))
    }
    #expect(try await found("doc", "red", .plainSearch) == ["red fox", "dog"])
    #expect(try await found("title", "red", .plainSearch) == ["red fox"])
    #expect(try await found("doc", "and red", .plainSearch) == ["red fox", "dog"])
    #expect(try await found("doc", "title: fox", .plainSearch) == ["cat"])
    #expect(try await found("doc", "red and", .phraseSearch) == ["dog"])
    #expect(try await found("doc", "red NOT blue", .search) == ["red fox"])
    #expect(try await found("doc", "red -blue", .webSearch) == ["red fox"])
    #expect(try await found("doc", "\"quick and\" or cat", .webSearch) == ["red fox", "cat"])
    #expect(try await found("doc", "\"; * ( -", .plainSearch) == [])
    let unwanted = DatabaseRoute.fetch(
      from: "doc", filteredBy: Column("doc").search("-red", as: .webSearch))
    #expect(await code { _ = try await executor.run(unwanted) } == .invalidRoute)
    for query in ["s3cret AND", "\"s3cret", "s3cret: x", "s3cret *"] {
      let wrong = DatabaseRoute.fetch(
        from: "doc", filteredBy: Column("doc").search(query, as: .search))
      var errors: [any Error] = []
      do { _ = try await executor.run(wrong) } catch { errors.append(error) }
      do { for try await _ in try await executor.stream(String.self, for: wrong) {} } catch {
        errors.append(error)
      }
      if query != "s3cret *" { #expect(errors.count == 2) }
      for error in errors {
        #expect((error as? RouterError)?.code == .invalidRoute)
        #expect(!"\(error)".contains("s3cret"))
      }
    }
    let row = try DatabaseRoute.insert(["title": "x"] as Record, into: "doc")
    #expect(await code { _ = try await executor.run(row) } == .unsupported)
    #expect(
      await code { _ = try await executor.run(.fetch(from: "doc_content")) } == .unknownTable)
    #expect(try await executor.affectedCount(of: row) == 1)
  }

  @Test func `search no table of another module, regardless of its name`() async throws {
    let executor = SQLiteRouteExecutor(
      try database("CREATE VIRTUAL TABLE x_fts5 USING rtree(id, low, high)"))
    let route = DatabaseRoute.fetch(from: "x_fts5", filteredBy: Column("id").search("x"))
    #expect(await code { _ = try await executor.run(route) } == .unsupported)
  }
}
