import Relations
import Testing

@Suite struct `Errors of relations` {
  @Test func `have a message, a place and a row`() {
    let error = RelationError(
      .missingRow, "there is no such row", table: "Album", column: "id", key: "7")
    #expect("\(error)" == "missingRow: Album.id: there is no such row (key 7)")
    #expect("\(RelationError(.invalidQuery, "no statement"))" == "invalidQuery: no statement")
  }
}
