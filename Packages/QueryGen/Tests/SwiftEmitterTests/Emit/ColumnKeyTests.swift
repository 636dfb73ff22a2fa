import QueryModel
import Testing

@testable import SwiftEmitter

@Suite struct `A struct that other coders read and write` {
  private static let project = Project(
    tables: [
      TableDefinition(
        name: "track", kind: .table,
        columns: [
          ColumnDefinition(name: "id", type: .integer, isNullable: false),
          ColumnDefinition(name: "released_on", type: .integer, isNullable: true),
          ColumnDefinition(name: "album_id", type: .integer, isNullable: true),
          ColumnDefinition(name: "class", type: .text, isNullable: false),
        ], primaryKey: ["id"])
    ], migrations: [], files: [])

  private func text(_ keys: CodingKeyForm, isCodable: Bool = true) throws -> String {
    let options = GenerationOptions(
      isCodable: isCodable, codingKeys: keys,
      tables: [
        "track": TableOptions(
          columns: [
            "album_id": ColumnOptions(
              swiftName: "album", mapping: TypeMapping(type: "One<Album>", holdsNull: true))
          ], properties: [AdditionalProperty(name: "writers", value: "Many<Writer> = Many()")])
      ])
    let result = SwiftEmitter(options: options).emit(Self.project)
    #expect(result.diagnostics.isEmpty)
    return try #require(result.files.first).text
  }

  @Test func `is encoded with the columns' names`() throws {
    #expect(
      try text(.columns).contains(
        """
          private enum CodingKeys: String, CodingKey {
            case id
            case releasedOn = "released_on"
            case album = "album_id"
            case `class`
            case writers
          }

        """))
  }

  @Test func `is encoded with its properties' names by default`() throws {
    #expect(try !text(.properties).contains("CodingKeys"))
    #expect(try !text(.columns, isCodable: false).contains("CodingKeys"))
  }

  @Test func `may have a type that represents NULL, and properties that are not columns`() throws {
    let text = try text(.properties)
    #expect(text.contains("  var album: One<Album>\n"))
    #expect(text.contains("  var `class`: String\n  var writers: Many<Writer> = Many()\n"))
    #expect(text.contains("      album: try row.read(One<Album>.self, at: 2),\n"))
    #expect(!text.contains("self.writers"))
  }
}
