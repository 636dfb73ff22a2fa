import QueryModel
import Testing

@testable import SwiftEmitter

@Suite struct `A nullable parameter` {
  private func text(isStored: Bool) throws -> String {
    let query = QueryDefinition(
      name: "touch", sql: "UPDATE todo SET done_on = :date WHERE id = :id",
      parameters: [
        ParameterDefinition(
          index: 1, name: "date", type: .integer, isNullable: true, isStored: isStored),
        ParameterDefinition(index: 2, name: "id", type: .integer, isNullable: false),
      ], result: .none, cardinality: .none, isReadOnly: false, reads: [], writes: ["todo"])
    let project = Project(
      tables: [], migrations: [], files: [QueryFile(name: "Todo", queries: [query])])
    let result = SwiftEmitter(options: GenerationOptions()).emit(project)
    #expect(result.diagnostics.isEmpty)
    return result.files.map(\.text).joined()
  }

  @Test func `has no default value if the statement stores it`() throws {
    let text = try text(isStored: true)
    #expect(text.contains("init(date: Int?, id: Int)"))
    #expect(text.contains("func execute(date: Int?, id: Int) async throws"))
    #expect(!text.contains("= nil"))
  }

  @Test func `can be omitted if the statement only compares it`() throws {
    let text = try text(isStored: false)
    #expect(text.contains("init(date: Int? = nil, id: Int)"))
    #expect(text.contains("func execute(date: Int? = nil, id: Int) async throws"))
  }
}
