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
    let fetchOne = TodoRoute.allCasePaths.fetchOne
    let route = fetchOne.embed(1)  // TodoRoute.fetchOne(id: 1)
    let id = fetchOne.extract(from: route)  // 1
    let name = TodoRoute.fetch().currentCase.name  // "fetch"

    #expect(path == \.todos.fetchOne)
    #expect(route == .fetchOne(id: 1) && id == 1 && name == "fetch")
  }
}
