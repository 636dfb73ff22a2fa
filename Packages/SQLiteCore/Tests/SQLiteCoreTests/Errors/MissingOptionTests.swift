import SQLiteCore
import Testing

@Suite struct `An option that SQLite was compiled without` {
  @Test func `is named in the error of each feature that needs it`() async throws {
    let directory = try TemporaryDirectory()
    let db = try directory.connect()
    let database = try Database(path: directory.file("other"))
    for (feature, option, use) in [
      (.preupdateHook, "ENABLE_PREUPDATE_HOOK", { try db.hooks.add(Recorder()) }),
      (.sessions, "ENABLE_SESSION", { _ = try db.session() }),
      (.sessions, "ENABLE_SESSION", { _ = try Changeset.empty.inverted() }),
      (.normalizedSQL, "ENABLE_NORMALIZE", { _ = try db.prepare("SELECT 1").normalizedSQL }),
    ] as [(SQLiteLibrary.Feature, String, () throws -> Void)] {
      #expect(SQLiteLibrary.supports(feature) == SQLiteLibrary.has(option))
      if SQLiteLibrary.has(option) {
        try use()
      } else {
        let error = #expect(throws: SQLiteError.self) { try use() }
        #expect(error?.code == .unsupported)
        #expect(error?.kind == .unsupported)
        #expect(error?.message.contains("without SQLITE_\(option), for \(feature)") == true)
      }
    }
    guard !SQLiteLibrary.supports(.snapshots) else { return }
    let error = await #expect(throws: SQLiteError.self) { try await database.sharedSnapshot() }
    #expect(error?.message.contains("SQLITE_ENABLE_SNAPSHOT") == true)
  }
}
