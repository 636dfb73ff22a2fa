import PostgreSQL
import Testing

private struct Page: PostgreSQLRowEncodable, Sendable {
  let text: String

  func bind(to parameters: inout PostgreSQLParameters) throws(PostgreSQLError) {
    try parameters.bind(text)
  }
}

/// Pages of 10 KB, which are counted when they are requested.
private struct Pages: Sequence, IteratorProtocol, Sendable {
  let count: Int
  let requested = Counter()
  private let page = Page(text: String(repeating: "x", count: 10_000))

  init(count: Int) { self.count = count }

  func next() -> Page? { requested.increment() <= count ? page : nil }
}

@Suite(.needsServer) struct `COPY` {
  @Test func `requests no more rows than the server accepts`() async throws {
    try await withDatabase { (database) async throws -> Void in
      // The trigger waits for the first row, while the client could send more.
      try await database.execute(
        """
        CREATE TABLE page (text text);
        CREATE TABLE gate (id int);
        INSERT INTO gate VALUES (1);
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN PERFORM 1 FROM gate FOR SHARE; RETURN NEW; END $$;
        CREATE TRIGGER wait BEFORE INSERT ON page FOR EACH ROW EXECUTE FUNCTION wait();
        """)
      let pages = Pages(count: 10_000)
      try await database.withConnection { locker in
        try await locker.run("BEGIN")
        try await locker.run("UPDATE gate SET id = 2")
        async let copied = database.copy(into: "page", columns: ["text"], rows: pages)
        var last = -1
        while last != pages.requested.value || last <= 0 {
          last = pages.requested.value
          try await Task.sleep(for: .milliseconds(500))
        }
        #expect(last < 1_000, "\(last) rows of 10 KB were requested, although none was inserted")
        try await locker.run("COMMIT")
        let changes = try await copied
        #expect(changes.count == 10_000)
      }
    }
  }

  @Test func `sends rows that are larger than a block`() async throws {
    try await withDatabase { (database) async throws -> Void in
      try await database.run("CREATE TABLE page (text text)")
      let sizes = [0, 1, 65_535, 65_536, 300_000, 5_000_000]
      let pages = sizes.map { Page(text: String(repeating: "é", count: $0)) }
      try await database.copy(into: "page", columns: ["text"], rows: pages)
      #expect(
        try await database.values(Int.self, "SELECT length(text) FROM page ORDER BY 1") == sizes)
    }
  }
}
