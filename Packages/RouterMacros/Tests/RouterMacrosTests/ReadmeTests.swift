import RouterMacros
import Testing

@Suite struct `The sample of the read-me file` {
  @CasePathable
  enum TodoRoute: Equatable {
    case fetch(filteredBy: [DatabaseRoute.Filter] = [])
    case fetchOne(id: Int)
  }

  @CasePathable
  enum Routes {
    case todos(TodoRoute)
  }

  @Test func `does what it says`() {
    let path: CaseKeyPath<Routes, Int> = \.todos.fetchOne
    #expect(path == \.todos.fetchOne)
    let fetchOne = TodoRoute.allCasePaths.fetchOne
    #expect(fetchOne.embed(1) == .fetchOne(id: 1))
    #expect(fetchOne.extract(from: .fetchOne(id: 1)) == 1)
    #expect(TodoRoute.fetch().currentCase.name == "fetch")
  }
}
