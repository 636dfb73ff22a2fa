import QueryGen
import Testing

/// The generated code of `Storage`: a database that attaches another one of the same module, and has
/// temporary objects.
@Suite struct `A database with an attached one` {
  static let kinds = [false, true]

  private static let tapes = [
    Tape(id: 1, title: "Alien", minutes: 117), Tape(id: 2, title: "Brazil", minutes: 60),
    Tape(id: 3, title: "Clue", minutes: 94),
  ]

  @Test(arguments: kinds)
  func `moves rows to the attached one in a transaction`(inFile: Bool) async throws {
    try await Shelf.withSample(inFile: inFile) { shelf in
      try await shelf.addTapes.execute(Self.tapes)
      let box = try await shelf.addBox.execute("north")
      try await shelf.storeTape.execute(box: box, condition: .worn, id: 1)
      #expect(try await shelf.tapesOnShelf.execute().map(\.id) == [2, 3])
      #expect(
        try await shelf.tapesInAttic.execute(0) == [
          AtticTape(id: 1, title: "Alien", minutes: 117, box: box, condition: .worn)
        ])
      #expect(try await shelf.titlesOfLongTapes.execute() == ["Alien"])
      // A violated constraint of the attached database undoes both statements.
      await #expect(throws: SQLiteError.self) {
        try await shelf.storeTape.execute(box: 99, condition: .good, id: 2)
      }
      #expect(try await shelf.tapesOnShelf.execute().map(\.id) == [2, 3])
    }
  }

  @Test(arguments: kinds)
  func `joins the tables of both`(inFile: Bool) async throws {
    try await Shelf.withSample(inFile: inFile) { shelf in
      try await shelf.addTapes.execute(Self.tapes)
      try await shelf.storeTape.execute(box: nil, condition: .good, id: 3)
      try await shelf.addTapes.execute([Tape(id: 4, title: "Clue", minutes: 90)])
      let copies = try await shelf.copiesOfTapes.execute()
      #expect(copies.map(\.tape.id) == [4])
      #expect(copies.map(\.copy.id) == [3])
    }
  }

  @Test func `migrates the attached file, which its own type can open`() async throws {
    let folder = try TemporaryFolder()
    let shelf = try Shelf(
      path: folder.file("shelf.sqlite"),
      attachments: ShelfAttachments(attic: .file(folder.file("attic.sqlite"))))
    try await shelf.addTapes.execute(Self.tapes)
    try await shelf.storeTape.execute(box: nil, condition: .good, id: 2)
    shelf.database.close()
    let attic = try Attic(path: folder.file("attic.sqlite"))
    #expect(try await attic.storedTapes.execute().map(\.title) == ["Brazil"])
    #expect(try await attic.entries.execute() == [2])
    #expect(try await attic.database.read { try $0.appliedMigrations() } == ["1", "2"])
  }

  @Test func `reports which database could not be attached`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.file("attic.sqlite")
    let newer = try Database(path: file)
    try await newer.migrate(Attic.migrations + [Migration(name: "3", sql: "CREATE TABLE new (a)")])
    newer.close()
    let error = #expect(throws: SQLiteError.self) {
      try Shelf(
        path: folder.file("shelf.sqlite"), attachments: ShelfAttachments(attic: .file(file)))
    }
    #expect(error?.code == .databaseIsNewer)
    #expect(error?.message.contains("the attached database attic") == true)
  }

  @Test func `can't attach memory that its connections would not share`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SQLiteError.self) {
      try Shelf(
        path: folder.file("shelf.sqlite"), attachments: ShelfAttachments(attic: .memory))
    }
    #expect(error?.code == .misuse)
  }

  @Test(arguments: kinds)
  func `observes the tables of each schema on its own`(inFile: Bool) async throws {
    try await Shelf.withSample(inFile: inFile) { shelf in
      try await shelf.addTapes.execute(Self.tapes)
      var values = shelf.tapesInAttic.observe(0).map { $0.map(\.id) }.makeAsyncIterator()
      #expect(try await values.next() == [])
      // Changes of a table with the same name in the other schema don't matter.
      try await shelf.addTapes.execute([Tape(id: 9, title: "Dune", minutes: 137)])
      try await shelf.storeTape.execute(box: nil, condition: .good, id: 1)
      #expect(try await values.next() == [1])
    }
  }

  @Test func `has regions with the names of schemas`() throws {
    let shelf = try Shelf(attachments: ShelfAttachments(attic: .memory))
    #expect(shelf.tapesInAttic.region(for: 1).description.hasPrefix("attic.tape("))
    #expect(shelf.marks.region(for: ()).description.hasPrefix("temp.mark("))
  }
}

@Suite struct `A database with temporary objects` {
  @Test(arguments: `A database with an attached one`.kinds)
  func `has them on each connection`(inFile: Bool) async throws {
    try await Shelf.withSample(inFile: inFile) { shelf in
      try await shelf.addTapes.execute([Tape(id: 1, title: "Alien", minutes: 117)])
      try await shelf.storeTape.execute(box: nil, condition: .good, id: 1)
      try await shelf.addTapes.execute([Tape(id: 2, title: "Brazil", minutes: 143)])
      let titles = try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<8 {
          group.addTask { try await shelf.anyTapes.execute().map(\.title) }
        }
        return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
      }
      #expect(titles == [["Alien", "Brazil"]])
    }
  }

  @Test(arguments: `A database with an attached one`.kinds)
  func `reads the rows that it has written to them`(inFile: Bool) async throws {
    try await Shelf.withSample(inFile: inFile) { shelf in
      try await shelf.addTapes.execute([Tape(id: 1, title: "Alien", minutes: 117)])
      try await shelf.markTape.execute(tape: 1, color: .red)
      try await shelf.markTape.execute(tape: 1, color: .blue)
      try await shelf.markTape.execute(tape: 5, color: .red)
      #expect(
        try await shelf.marks.execute()
          == [Mark(tape: 1, color: .blue), Mark(tape: 5, color: .red)])
      #expect(try await shelf.markedTapes.execute().map(\.tape.title) == ["Alien"])
      #expect(try await shelf.markedTapes.execute(many: [(), ()]).count == 2)
      // The trigger removes the mark.
      try await shelf.storeTape.execute(box: nil, condition: .good, id: 1)
      #expect(try await shelf.marks.execute().map(\.tape) == [5])
    }
  }

  @Test(arguments: `A database with an attached one`.kinds)
  func `observes them`(inFile: Bool) async throws {
    try await Shelf.withSample(inFile: inFile) { shelf in
      var values = shelf.marks.observe().map { $0.map(\.tape) }.makeAsyncIterator()
      #expect(try await values.next() == [])
      try await shelf.markTape.execute(tape: 5, color: .red)
      #expect(try await values.next() == [5])
      try await shelf.markTape.execute(tape: 6, color: .red)
      #expect(try await values.next() == [5, 6])
    }
  }
}
