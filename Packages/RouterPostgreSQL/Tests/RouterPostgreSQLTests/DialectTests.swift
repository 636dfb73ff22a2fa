import PostgreSQLTesting
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

/// The statements of the dialect, prepared and run by a server.
@Suite(.needsServer, .serialized)
struct `The dialect of PostgreSQL` {
  static let name = Column("name"), rank = Column("rank"), points = Column("points")
  static let price = Column("price"), done = Column("done"), profile = Column("profile")
  static let tags = Column("tags"), feeling = Column("feeling"), data = Column("data")

  static let filters: [(Filter, [Int])] = [
    (rank.equals(1), [1]), (rank.equals(1.0), [1]), (rank.equals(1.5), []),
    (rank.notEquals(1.5), [1, 2, 4]), (!rank.equals(1.5), [1, 2, 4]),
    (rank.greaterThan(1.5), [2]), (rank.lessThan(1e300), [1, 2, 4]),
    (rank.equals(3_000_000_000), []), (rank.between(0, 1), [1, 4]),
    (rank.isNull(), [3]), (rank.isNotNull(), [1, 2, 4]), (rank.isTrue(), [1, 2]),
    (rank.isFalse(), [4]), (!rank.isTrue(), [3, 4]),
    (rank.isDistinct(from: 1), [2, 3, 4]), (rank.isNotDistinct(from: 1), [1]),
    (rank.isDistinct(from: Int?.none), [1, 2, 4]), (rank.isNotDistinct(from: Int?.none), [3]),
    (!rank.isNotDistinct(from: 1), [2, 3, 4]), (rank.in([1, 2, 2]), [1, 2]),
    (rank.in([1.5, 2.0]), [2]), (rank.in([Int]()), []), (rank.notIn([1]), [2, 4]),
    (rank.notIn([Int]()), [1, 2, 3, 4]), (rank.any(.lessThan, [1, 2]), [1, 4]),
    (rank.each(.greaterThan, [0, 1]), [2]), (rank.any(.equals, [Int]()), []),
    (rank.each(.equals, [Int]()), [1, 2, 3, 4]),
    (points.equals(1.5), [1]), (points.greaterThan(1), [1, 2]), (price.equals(2.5), [2]),
    (price.in([2.5, 7]), [2, 3]),
    (done.equals(true), [1]), (done.isTrue(), [1]), (!done.isTrue(), [2, 3, 4]),
    (done.isFalse(), [2, 3]), (done.in([true, false]), [1, 2, 3]),
    (name.equals("Ada"), [1]), (name.equals("ada"), []), (name.in(["Ada", "b_c"]), [1, 3]),
    (name.like("A%"), [1]), (name.iLike("a%"), [1]), (name.hasPrefix("b_"), [3]),
    (name.hasSuffix("c"), [3]), (name.containsText("%"), [4]), (name.matches("^[AB]"), [1, 2]),
    (name.iMatches("^[ab]"), [1, 2, 3]),
    (data.equals([0, 255] as [UInt8]), [1]), (feeling.equals("happy"), [1]),
    (feeling.like("h%"), [1]), (Column("born").equals("2001-02-03"), [2]),
    (Column("key").equals("00000000-0000-0000-0000-000000000001"), [1]),
    (Column("level").equals(3), [2]), (Column("double").equals(4), [2]),
    (profile.at("home", "city").equals("Rome"), [1]), (profile.at("n").greaterThan(1), [2]),
    (profile.at("list", 0).equals(7), [1]), (profile.at("it's").isNull(), [1, 2, 3, 4]),
    (profile.at("none").isNull(), [1, 2, 3, 4]), (profile.at("n").isNotNull(), [1, 2]),
    (profile.at("home", "city").like("R%"), [1]), (profile.at("flag").isTrue(), [1]),
    (profile.at("n").in([1, 2]), [1, 2]), (profile.at("list").contains([7]), [1]),
    (profile.at("list").containedBy([7, 8, 9]), [1]), (profile.at("list").overlaps([8, 1]), [1]),
    (Column("plain").at("a").equals(1), [1]), (Column("plain").equals("{\"a\": 1}"), [1]),
    (tags.contains(["x"]), [1, 2]), (tags.containedBy(["x"]), [1, 3]), (tags.overlaps(["y"]), [2]),
    (Column("words").search("cat", as: .plainSearch), [1]),
    (name.search("ada", as: .webSearch), [1]),
    (.all, [1, 2, 3, 4]), (Column("ID").equals(2), [2]),
  ]

  static let rows = """
    INSERT INTO team (name) VALUES ('Reds'), ('Blues');
    INSERT INTO player (id, team, name, rank, points, price, done, data, profile, plain, tags,
      feeling, born, key, level, words) VALUES
      (1, 1, 'Ada', 1, 1.5, 1, true, '\\x00ff', '{"home": {"city": "Rome"}, "n": 1, "list": [7, 8],
        "flag": true, "none": null}', '{"a": 1}', '{x}', 'happy', NULL,
        '00000000-0000-0000-0000-000000000001', NULL, to_tsvector('simple', 'the cat')),
      (2, 1, 'Bob', 2, 2, 2.5, false, NULL, '{"n": 2}', NULL, '{x,y}', 'sad', '2001-02-03', NULL,
        3, NULL),
      (3, NULL, 'b_c', NULL, NULL, 7, false, NULL, NULL, NULL, '{}', NULL, NULL, NULL, NULL, NULL),
      (4, 2, '5%', 0, -1, NULL, NULL, NULL, '[1]', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO hobby VALUES (1, 'chess'), (2, 'go');
    INSERT INTO practice VALUES (1, 1), (1, 2), (2, 1);
    """

  private func prepared() throws -> (PostgreSQLTestServer, PostgreSQLCatalog) {
    let server = try #require(PostgreSQLTestServer.shared)
    _ = try server.psql([
      "DROP SCHEMA public CASCADE; CREATE SCHEMA public", Schema.postgreSQL, Self.rows,
    ])
    return (server, try Schema.catalog(server))
  }

  /// Runs the statements of a route on one connection, in a transaction that is rolled back, and returns the rows of the
  /// last one.
  private func run(
    _ route: DatabaseRoute, _ server: PostgreSQLTestServer, _ catalog: PostgreSQLCatalog,
    settings: RouteSettings = RouteSettings()
  ) throws -> [[String?]] {
    let plan = try RoutePlan(route, settings: settings)
    var commands = ["BEGIN"]
    for (number, statement) in try plan.statements(in: catalog).enumerated() {
      commands.append("PREPARE s\(number) AS \(statement.text.sql)")
      let values = statement.literals
      commands.append("EXECUTE s\(number)\(values.isEmpty ? "" : " (\(values))")")
    }
    return try server.rows(commands)
  }

  @Test func `writes the statement of the README`() throws {
    let (_, catalog) = try prepared()
    let settings = RouteSettings()
    let route = DatabaseRoute.fetch(from: "player", filteredBy: Column("rank").equals(1))
    let plan = try RoutePlan(route, settings: settings)
    let statement = try PostgreSQLDialect.statement(
      of: plan.selection(), settings: settings, limit: plan.limit(), in: catalog)
    #expect(
      statement.text.sql.hasSuffix(
        #" FROM "public"."player" WHERE ("player"."rank" = $1::bigint) LIMIT $2"#))
    #expect(statement.values == [.value(1), .value(nil)])
  }

  @Test func `finds the rows of each condition`() throws {
    let (server, catalog) = try prepared()
    for (filter, ids) in Self.filters {
      let route = DatabaseRoute.fetch(from: "player", filteredBy: filter, order: .ascending("id"))
        .selecting("id")
      do {
        let found = try run(route, server, catalog)
        #expect(found == ids.map { ["\($0)"] }, "\(filter)")
        // The values of a cached statement.
        #expect(try run(route, server, catalog) == found, "\(filter)")
      } catch {
        Issue.record("\(filter): \(error)")
      }
    }
  }

  static let reads: [(DatabaseRoute, [[String?]])] = [
    (.fetchOne(id: 1, from: "team"), [["1", "Reds"]]),
    (.fetch(from: "TEAM", order: .descending("NAME")), [["1", "Reds"], ["2", "Blues"]]),
    (.count(from: "player"), [["4"]]),
    (DatabaseRoute.count(from: "player").limited(to: 2), [["2"]]),
    (
      DatabaseRoute.fetch(from: "player", order: .ascending("rank")).selecting("rank").limited(
        to: 2, offset: 1), [["1"], ["2"]]
    ),
    (
      DatabaseRoute.fetch(from: "player", order: .descending("rank")).selecting("rank"),
      [["2"], ["1"], ["0"], [nil]]
    ),
    (
      DatabaseRoute.fetch(from: "player", order: .ascending("name", collation: "C"))
        .selecting("name"), [["5%"], ["Ada"], ["Bob"], ["b_c"]]
    ),
    (
      DatabaseRoute.fetch(from: "player", filteredBy: .id(1)).selecting(
        profile.at("home", "city"), profile.at("n")), [["\"Rome\"", "1"]]
    ),
    (
      DatabaseRoute.fetch(from: "player", order: .ascending("done")).selecting("done").aggregating(
        .count(as: "n"), .sum("rank", as: "s"), .average("rank", as: "a"),
        .count(as: "few", filteredBy: rank.greaterThan(0))),
      [["f", "2", "2", "2", "1"], ["t", "1", "1", "1", "1"], [nil, "1", "0", "0", "0"]]
    ),
    (
      DatabaseRoute.fetch(from: "player").selecting(profile.at("n")).aggregating(.count(as: "c"))
        .filteringGroups(by: Column("c").greaterThan(1) || profile.at("n").equals(1))
        .ordered(by: .ascending("c")), [["1", "1"], [nil, "2"]]
    ),
    (DatabaseRoute.count(from: "player").aggregating(.count()), [["1"]]),
    (
      DatabaseRoute.fetch(from: "team", order: .ascending("id")).selecting("name").embedding(
        .init("player", as: "players", columns: ["name", "rank"], orderedBy: [.descending("rank")])),
      [["Reds", "{\"(Bob,2)\",\"(Ada,1)\"}"], ["Blues", "{\"(5%,0)\"}"]]
    ),
    (
      DatabaseRoute.fetch(from: "player", order: .ascending("id")).selecting("id").embedding(
        .init("team", columns: ["name"])),
      [["1", "(Reds)"], ["2", "(Reds)"], ["3", nil], ["4", "(Blues)"]]
    ),
    (
      DatabaseRoute.fetch(from: "player", order: .ascending("id")).selecting("id").embedding(
        .init(
          "hobby", columns: ["name"], orderedBy: [.ascending("id")], limit: 1, isRequired: true)),
      [["1", "{(chess)}"], ["2", "{(chess)}"]]
    ),
    (
      DatabaseRoute.fetch(from: "Odd \"name\"", filteredBy: Column("name").isNull()).selecting(
        "Name", "name", "a b"), []
    ),
  ]

  @Test func `reads, counts, groups and embeds`() throws {
    let (server, catalog) = try prepared()
    for (route, expected) in Self.reads {
      do {
        #expect(try run(route, server, catalog) == expected, "\(route)")
      } catch {
        Issue.record("\(route): \(error)")
      }
    }
  }

  static let writes: [(@Sendable () throws -> DatabaseRoute, [[String?]])] = [
    (
      {
        try DatabaseRoute.insert(
          [
            ["id": 10, "name": "K", "tags": "{x,y}", "feeling": "sad", "price": 1.5],
            ["id": 11, "name": "L", "tags": nil, "feeling": nil, "price": nil],
          ] as [Record], into: "player"
        ).selecting("id", "name", "tags", "feeling", "price")
      }, [["10", "K", "{x,y}", "sad", "1.5"], ["11", "L", nil, nil, nil]]
    ),
    ({ try .insert(["id": 7, "name": "Z"] as Record, into: "team") }, [["7", "Z"]]),
    ({ try .insert(["name": "Z"] as Record, into: "team") }, [["3", "Z"]]),
    (
      { try DatabaseRoute.insert(["id": 9, "name": "N"] as Record, into: "names") },
      [["9", "N"]]
    ),
    (
      { try .update(["rank": nil] as Record, in: "player", filteredBy: .id(1)).selecting("rank") },
      [[nil]]
    ),
    (
      {
        try DatabaseRoute.update(["price": 7.25] as Record, in: "player", filteredBy: .all)
          .selecting("price")
      }, [["7.25"], ["7.25"], ["7.25"], ["7.25"]]
    ),
    (
      {
        try .upsert(["area": "A", "number": 1, "holder": "x"] as Record, in: "seat")
      }, [["A", "1", "x"]]
    ),
    (
      { try DatabaseRoute.upsert(["id": 1, "name": "R"] as Record, in: "hobby") }, [["1", "R"]]
    ),
    (
      {
        try DatabaseRoute.upsert(["id": 1, "name": "R"] as Record, in: "hobby")
          .onConflict("id", resolution: .ignore)
      }, []
    ),
    (
      {
        try DatabaseRoute.upsert(["id": 1, "name": "Ada", "rank": 5] as Record, in: "player")
          .onConflict("name").selecting("id", "rank")
      }, [["1", "5"]]
    ),
    (
      {
        DatabaseRoute.delete(from: "practice", filteredBy: Column("player").equals(1))
          .returning(.representation)
      }, [["1", "1"], ["1", "2"]]
    ),
    ({ .delete(from: "practice", filteredBy: .all) }, []),
  ]

  @Test func `inserts, updates, upserts and deletes`() throws {
    let (server, catalog) = try prepared()
    for (route, expected) in Self.writes {
      let route = try route()
      do {
        #expect(try run(route, server, catalog) == expected, "\(route)")
      } catch {
        Issue.record("\(route): \(error)")
      }
    }
  }

  @Test func `inserts records with the same columns by one statement`() throws {
    let (_, catalog) = try prepared()
    var route = DatabaseRoute(.insert, "hobby")
    func texts(_ records: [Record]) throws -> [String] {
      route.values = records
      return try RoutePlan(route, settings: RouteSettings()).statements(in: catalog)
        .map(\.text.sql)
    }
    let one = try texts([["id": 1, "name": "a"]])
    let two = try texts([["id": 1, "name": "a"], ["id": 2, "name": "b"]])
    #expect(one.count == 1 && two.count == 1 && one != two)
    #expect(try texts((1...9).map { ["id": .integer($0), "name": "x"] }) == two)
    #expect(try texts([["id": 1, "name": "a"], ["id": 2], ["id": 3]]).count == 2)
    #expect(try texts([[:], [:]]).count == 2)
    route.method = .upsert
    #expect(try texts([["id": 1, "name": "a"], ["id": 1, "name": "b"]]).count == 2)
  }

  @Test func `checks written rows against row filters`() throws {
    let (server, catalog) = try prepared()
    var settings = RouteSettings()
    settings.rowFilters["hobby"] = Column("id").lessThan(5)
    let insert = try DatabaseRoute.insert(["id": 9, "name": "x"] as Record, into: "hobby")
    #expect(try run(insert, server, catalog, settings: settings) == [["9", "x", "f"]])
    let update = try DatabaseRoute.update(["name": "x"] as Record, in: "hobby", filteredBy: .all)
    #expect(
      try run(update, server, catalog, settings: settings)
        == [["1", "x", "t"], ["2", "x", "t"]])
  }

  @Test func `refuses what a catalog or a guard excludes`() throws {
    let (_, catalog) = try prepared()
    func code(_ route: DatabaseRoute) -> RouterError.Code? {
      do {
        _ = try RoutePlan(route, settings: RouteSettings()).statements(in: catalog)
        return nil
      } catch {
        return (error as? RouterError)?.code
      }
    }
    #expect(code(.fetch(from: "nix")) == .unknownTable)
    #expect(code(.fetch(from: "team", filteredBy: Column("nix").equals(1))) == .unknownColumn)
    #expect(
      code(.fetch(from: "Odd \"name\"", filteredBy: Column("NAME").equals("x"))) == .unknownColumn)
    #expect(code(.fetch(from: "team", filteredBy: Column("name").equals("x"))) == nil)
    #expect(code(.delete(from: "team", filteredBy: Column("id").isNotNull())) == .emptyFilter)
    #expect(
      code(
        .delete(
          from: "player", filteredBy: Self.rank.lessThan(3) || Self.rank.greaterThanOrEquals(3)))
        == .emptyFilter)
    // The collation of the database, `C`, and a collation with another order.
    for name in [Column("name"), Column("nickname")] {
      for filter in [
        name.notEquals("x") || name.notEquals("y"), !name.in(["x", "y"]) || !name.equals("z"),
        name.isNotDistinct(from: "x") || name.isDistinct(from: "x"),
        name.notIn(["x"]) || name.notIn(["y"]),
      ] {
        #expect(code(.delete(from: "player", filteredBy: filter)) == .emptyFilter, "\(filter)")
      }
      for filter in [
        name.notEquals("x"), name.notEquals("x") || name.equals("y"), name.in(["x", "y"]),
        !name.in(["x", "y"]) || name.equals("x"),
      ] {
        #expect(code(.delete(from: "player", filteredBy: filter)) == nil, "\(filter)")
      }
    }
    #expect(
      code(
        .delete(
          from: "player",
          filteredBy: Column("name").lessThan("y") || Column("name").greaterThan("x")))
        == .emptyFilter)
    #expect(
      code(
        .delete(
          from: "player",
          filteredBy: Column("nickname").lessThan("y") || Column("nickname").greaterThan("x")))
        == nil)
    #expect(
      code(try .update(["double": 1] as Record, in: "player", filteredBy: .id(1)))
        == .invalidRoute)
    // An index that is deferrable, partial or on an expression is no conflict target.
    for target in ["born", "rank"] as [Column] {
      let record: Record = ["id": 1, "name": "x", "team": 1, "rank": 1, "born": "2001-01-01"]
      let route = try DatabaseRoute.upsert(record, in: "player")
      #expect(code(route.onConflict(target)) == .invalidRoute)
    }
    #expect(code(.fetch(from: "player", filteredBy: Self.rank.equals("x"))) == .invalidRoute)
    #expect(
      code(.fetch(from: "player", filteredBy: Self.rank.search("x", as: .plainSearch)))
        == .unsupported)
  }

  @Test func `pages contain each row once`() throws {
    let (server, catalog) = try prepared()
    let orders: [[DatabaseRoute.Order]] = [
      [.ascending("id")], [.ascending("rank")], [.descending("rank", nullsFirst: true)],
      [.ascending("rank", nullsFirst: true)], [.descending("done"), .ascending("name")],
      [.ascending("team"), .descending("rank")], [.ascending("name", collation: "C")],
    ]
    for order in orders {
      var list = DatabaseRoute.fetch(from: "player").selecting("id", "rank", "done", "name", "team")
      list.orders = order
      var whole = list
      whole.orders.append(.init(column: "id", ascending: order.last?.ascending ?? true))
      let all = try run(whole, server, catalog)
      var seen: [[String?]] = []
      while seen.count < 5 {
        let last = seen.last.map { row -> Record in
          let names: [Column] = ["id", "rank", "done", "name", "team"]
          return Record(
            fields: zip(names, row).map { name, text in
              .init(column: name, value: text.map { SQLiteValue.text($0) } ?? .null)
            })
        }
        let page = try run(list.page(after: last, size: 1), server, catalog)
        if page.isEmpty { break }
        seen += page
      }
      #expect(seen == all, "\(order)")
    }
  }

  /// A condition on a column of integers must not prevent the use of its index.
  @Test func `uses indexes`() throws {
    let (server, catalog) = try prepared()
    _ = try server.psql([
      "INSERT INTO seat SELECT 'a' || i % 10, i, 'x' FROM generate_series(1, 20000) i; ANALYZE"
    ])
    let routes: [DatabaseRoute] = [
      .fetch(from: "seat", filteredBy: Column("area").equals("a1"), Column("number").equals(11)),
      .fetch(
        from: "seat", filteredBy: Column("area").equals("a1"),
        Column("number").in([1, 11, 21])),
      .fetch(
        from: "seat", filteredBy: Column("area").isNotDistinct(from: "a1"),
        Column("number").isNotDistinct(from: 11)),
      try DatabaseRoute.fetch(from: "seat", order: .ascending("area"))
        .page(after: ["area": "a5", "number": 15] as Record, size: 20),
      try DatabaseRoute.fetch(from: "seat", order: .descending("area"))
        .page(after: ["area": "a5", "number": 15] as Record, size: 20),
    ]
    for route in routes {
      let statement = try #require(
        try RoutePlan(route, settings: RouteSettings()).statements(in: catalog).first)
      let plan = try server.rows([
        "PREPARE s AS \(statement.text.sql)",
        "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) EXECUTE s (\(statement.literals))",
      ])
      let text = plan.compactMap { $0[0] }.joined(separator: "\n")
      #expect(text.contains("Index Cond"), "\(route): \(text)")
      #expect(!text.contains("Seq Scan"), "\(route): \(text)")
      #expect(!text.contains("Sort"), "\(route): \(text)")
    }
  }
}
