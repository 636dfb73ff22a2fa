import Relations
import SQLiteCore
import Testing

@Suite struct `Conflicts of models` {
  @Test func `a version is incremented, and the second writer gets an error with the current row`()
    async throws
  {
    try await withSession { session in
      let paper = try await Paper.createWith(title: "Faith", pages: 3)
      #expect(paper.value.version == 1)
      paper.value.title = "Primary"
      try await paper.save()
      #expect(paper.value.version == 2)
      #expect(try await session.rows("SELECT title, version FROM Paper") == [["Primary", 2]])

      try await session.elsewhere("UPDATE Paper SET pages = 9, version = version + 1")
      paper.value.title = "Other Voices"
      let error = await #expect(throws: RelationError.self) { try await paper.save() }
      #expect(error?.code == .conflict)
      #expect(error?.table == "Paper")
      #expect(error?.key == "1")
      let theirs = try error?.currentRow(Paper.self)
      #expect(theirs?.title == "Primary")
      #expect(theirs?.pages == 9)
      #expect(theirs?.version == 3)
      #expect(paper.value.title == "Other Voices")
      #expect(try await session.rows("SELECT title, version FROM Paper") == [["Primary", 3]])
    }
  }

  @Test func `a version is checked when a row is deleted`() async throws {
    try await withSession { session in
      let paper = try await Paper.createWith(title: "Faith")
      try await session.elsewhere("UPDATE Paper SET pages = 9, version = version + 1")
      let error = await #expect(throws: RelationError.self) { try await paper.delete() }
      #expect(error?.code == .conflict)
      #expect(try error?.currentRow(Paper.self)?.pages == 9)
      #expect(try await Paper.exists(paper.id))
      let found = try await Paper.fetchId(paper.id)
      #expect(found.value.pages == 9)
      try await found.delete()
      #expect(try await !Paper.exists(paper.id))
    }
  }

  @Test func `a version is checked for rows that are values`() async throws {
    try await withSession { session in
      let first = try await session.save(Paper.Value(title: "Faith"))
      var mine = first
      mine.title = "Mine"
      mine = try await mine.save()
      #expect(mine.version == 2)
      var theirs = first
      theirs.title = "Theirs"
      let late = theirs
      let error = await #expect(throws: RelationError.self) { try await late.save() }
      #expect(error?.code == .conflict)
      #expect(try error?.currentRow(Paper.Value.self)?.title == "Mine")
    }
  }

  @Test func `a version is kept with the to-one relation that is saved`() async throws {
    try await withSession { session in
      let paper = try await Paper.createWith(title: "Faith")
      let relation = paper.value.author
      let author = try await Author.create()
      author.value.name = "Robert"
      await paper.value.author.setObject(author)
      try await paper.save()
      #expect(paper.value.version == 2)
      #expect(paper.value.author === relation)
      #expect(paper.value.author._object === author)
      #expect(try await session.rows("SELECT author, version FROM Paper") == [[1, 2]])
      try await paper.save()
      #expect(paper.value.version == 2)
    }
  }

  @Test func `a deleted row is reported as missing, not as a conflict`() async throws {
    try await withSession { session in
      let paper = try await Paper.createWith(title: "Faith")
      try await session.elsewhere("DELETE FROM Paper")
      paper.value.pages = 4
      let error = await #expect(throws: RelationError.self) { try await paper.save() }
      #expect(error?.code == .missingRow)
    }
  }

  @Test
  func `unchanged columns have the other connection's values after the next fetch`() async throws {
    try await withSession { session in
      let note = try await MyNote.createWith(title: "a", text: "b")
      note.value.title = "mine"
      try await session.elsewhere("UPDATE MyNote SET title = 'theirs', text = 'theirs'")
      try await note.save()
      #expect(try await session.rows("SELECT title, text FROM MyNote") == [["mine", "theirs"]])
      _ = try await MyNote.fetchQuery()
      #expect(note.value.title == "mine")
      #expect(note.value.text == "theirs")
    }
  }

  @Test func `a fetch keeps local changes and refreshes other columns`() async throws {
    try await withSession { session in
      let author = try await Author.createWith(name: "Robert")
      let note = try await MyNote.createWith(title: "a", text: "b")
      note.value.title = "mine"
      try await session.elsewhere(
        "UPDATE MyNote SET title = 'theirs', text = 'theirs', author = 1")
      _ = try await MyNote.fetchQuery()
      #expect(note.value.title == "mine")
      #expect(note.value.text == "theirs")
      #expect(note.value.author.key == author.id)
      try await note.save()
      #expect(
        try await session.rows("SELECT title, text, author FROM MyNote") == [["mine", "theirs", 1]])
    }
  }

  @Test
  func `the other connection's values are taken if the type's policy requires it`() async throws {
    try await withSession { session in
      let note = try await TheirNote.createWith(title: "a", text: "b")
      note.value.title = "mine"
      try await session.elsewhere("UPDATE TheirNote SET text = 'theirs'")
      try await note.save()
      #expect(note.value.title == "a")
      #expect(note.value.text == "theirs")
      note.value.title = "mine again"
      try await session.elsewhere("UPDATE TheirNote SET text = 'more'")
      _ = try await TheirNote.fetchQuery()
      #expect(note.value.title == "a")
      #expect(note.value.text == "more")
      note.value.title = "alone"
      try await note.save()
      #expect(try await session.rows("SELECT title FROM TheirNote") == [["alone"]])
    }
  }

  @Test func `any external change is an error if the type's policy requires it`() async throws {
    try await withSession { session in
      let note = try await StrictNote.createWith(title: "a", text: "b")
      note.value.title = "mine"
      try await session.elsewhere("UPDATE StrictNote SET text = 'theirs'")
      let error = await #expect(throws: RelationError.self) { try await note.save() }
      #expect(error?.code == .conflict)
      #expect(try error?.currentRow(StrictNote.self)?.text == "theirs")
      _ = try await StrictNote.fetchQuery()
      #expect(note.value.title == "mine")
      #expect(note.value.text == "b")
    }
  }

  @Test func `a save with a conflict writes nothing`() async throws {
    try await withSession { session in
      let paper = try await Paper.createWith(title: "Faith")
      let other = try await Paper.createWith(title: "Disintegration")
      try await session.elsewhere("UPDATE Paper SET version = 7 WHERE id = 2")
      paper.value.title = "x"
      other.value.title = "y"
      await #expect(throws: RelationError.self) { try await session.save([paper, other]) }
      #expect(paper.value.version == 1)
      #expect(
        try await session.rows("SELECT title FROM Paper") == [["Faith"], ["Disintegration"]])
    }
  }
}
