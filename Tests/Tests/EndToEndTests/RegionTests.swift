import QueryGen
import Testing

@Suite struct `The region of a query` {
  /// A query with its input, its result as text, and its region.
  private struct Asked: Sendable {
    let name: String
    let region: Region
    let answer: @Sendable (Connection) throws -> String

    init<Q: GeneratedQuery>(_ query: Q, _ input: Q.Input) {
      name = "\(Q.self)"
      region = query.region(for: input)
      answer = { "\(try query.execute(input, in: $0))" }
    }
  }

  private func queries(_ db: DB, _ random: inout Random) -> [Asked] {
    let author = random.next(4) + 1
    return [
      Asked(db.regionOfAuthor, author),
      Asked(db.regionOfPrices, .init(priceLower: 2, priceUpper: random.price ?? 3)),
      Asked(db.regionOfTitles, .init(from: random.title, isLent: random.next(2) == 0)),
      Asked(db.regionOfEither, .init(author: author, day: 2)),
      Asked(db.regionOfSome, .init(id: random.next(12) + 1, id2: random.next(12) + 1)),
      Asked(db.regionOfJoin, random.price ?? 1), Asked(db.regionOfOuter, random.price ?? 1),
      Asked(db.regionOfMark, random.title), Asked(db.regionOfOthers, random.price ?? 1),
      Asked(db.regionOfTwice, author),
      Asked(
        db.regionOfList,
        .init(ids: (0..<random.next(4)).map { _ in random.next(12) + 1 }, isLent: false)),
      Asked(
        db.regionOfFilter,
        .init(
          author: random.next(2) == 0 ? author : nil,
          ids: random.next(2) == 0 ? [random.next(12) + 1, random.next(12) + 1] : nil,
          from: random.next(2) == 0 ? random.title : nil,
          sort: random.next(2) == 0 ? [.price, .title] : [])),
    ]
  }

  /// Runs a random write, which may change no row.
  private func change(_ db: DB, _ random: inout Random, in connection: Connection) throws {
    let id = random.next(12) + 1
    switch random.next(7) {
    case 0, 1:
      try db.addRandomBook.execute(
        .init(
          authorId: random.next(4) + 1, title: random.title, price: random.price,
          cover: random.cover, isLent: random.next(2) == 0), in: connection)
    case 2: try db.setTitle.execute(.init(title: random.title, id: id), in: connection)
    case 3: try db.setPrice.execute(.init(price: random.price, id: id), in: connection)
    case 4: try db.setAuthor.execute(.init(authorId: random.next(4) + 1, id: id), in: connection)
    case 5: try db.setCover.execute(.init(cover: random.cover, id: id), in: connection)
    default: try db.removeBook.execute(id, in: connection)
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `contains every row that the result depends on, but not all rows`(_ seed: UInt64)
    async throws
  {
    var random = Random(state: seed)
    let db = try DB()
    for name in ["Ada", "Bo", "Cy", "Di"] { try await db.saveAuthor.execute(name: name, born: nil) }
    try await db.database.startObserving()
    let commits = db.database.changes()
    defer { withExtendedLifetime(commits) {} }
    var changes = commits.makeAsyncIterator()
    var missed: Set<String> = []
    for step in 0..<120 {
      let asked = queries(db, &random)
      let (before, after) = try await { [random] in
        try await db.database.write { connection -> ([String], [String]) in
          var random = random
          let before = try asked.map { try $0.answer(connection) }
          try self.change(db, &random, in: connection)
          // Each step also changes a row that is always observed, so that the test can wait for it.
          try db.addTag.execute(.init(name: "step \(step)", parent: nil), in: connection)
          return (before, try asked.map { try $0.answer(connection) })
        }
      }()
      for _ in 0..<8 { _ = random.next(2) }
      let change = try #require(try await changes.next())
      for (place, query) in asked.enumerated() {
        let isTouched = query.region.overlaps(change)
        #expect(before[place] == after[place] || isTouched, "\(query.name), step \(step)")
        if !isTouched { missed.insert(query.name) }
      }
    }
    #expect(missed.count == 12)
  }
}

/// A generator of pseudorandom numbers, which is deterministic for a seed.
private struct Random: Sendable {
  var state: UInt64

  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }

  var price: Double? { mutating get { [nil, 1, 2, 2.5, 3, 9][next(6)] } }
  var title: String { mutating get { ["Emma", "emma", "Orlando", "Z", "", "Éa"][next(6)] } }
  var cover: [UInt8]? { mutating get { [nil, [], [1]][next(3)] } }
}
