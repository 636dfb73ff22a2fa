import Foundation
import Holt
import Testing

@Suite struct `Routes while their provider changes its source` {
  @Test(arguments: TestedProvider.allCases)
  func `all write to the source that was saved last`(_ tested: TestedProvider) async throws {
    try await tested.withTodos { provider, path in
      let executor = ProviderRouteExecutor(provider)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 2...40 {
          group.addTask {
            try await executor.perform(.insert(Todo(id: id, name: "Tea"), into: "todos"))
          }
          guard id.isMultiple(of: 8) else { continue }
          group.addTask { try await provider.saveSource(atPath: "\(path).\(id)") }
        }
        try await group.waitForAll()
      }
      #expect(provider.path != path)
      let ids = try await executor.values(Todo.self, for: .fetch(from: "todos")).map(\.id)
      #expect(ids.sorted() == Array(1...40))
    }
  }

  @Test(arguments: TestedProvider.allCases)
  func `run, or fail because no source is open`(_ tested: TestedProvider) async throws {
    try await tested.withTodos { provider, path in
      let executor = ProviderRouteExecutor(provider)
      var known = 1
      for round in 1...4 {
        known += try await withThrowingTaskGroup(of: Int.self) { group in
          for id in 1...20 {
            group.addTask {
              if id == 10 { try await provider.closeSource() }
              do {
                if id.isMultiple(of: 2) {
                  let todo = Todo(id: round * 100 + id, name: "Tea")
                  return try await executor.affectedCount(of: .insert(todo, into: "todos"))
                }
                _ = try await executor.values(Todo.self, for: .fetch(from: "todos"))
              } catch let error as ProviderError where error.code == .notOpen {}
              return 0
            }
          }
          return try await group.reduce(0, +)
        }
        try await provider.openSource(atPath: path)
        #expect(try await executor.values(Todo.self, for: .fetch(from: "todos")).count == known)
      }
    }
  }

  @Test @MainActor func `are observed on the new source after the query is refreshed`() async throws
  {
    let provider = JSONProvider()
    let controller = QueryController(
      RouterRequest<Routes, [Todo]>(.todos(.fetch)), in: DatabaseRouter(provider))
    for await phase in controller.phases where !phase.isLoading { break }
    #expect((controller.error as? ProviderError)?.code == .notOpen)
    for todo in [Todo.milk, .bread] {
      try provider.createSourceInMemory()
      try await provider.execute(SQL(unsafe: TodoDatabase.schema))
      try await provider.execute(
        "INSERT INTO todos VALUES (?, ?, false)", withParameters: [todo.id, todo.name])
      controller.refresh()
      for await todos in controller.values where todos == [todo] { break }
      #expect(controller.error == nil)
      try await provider.closeSource(discardingChanges: true)
    }
  }

  @Test @MainActor func `are observed on the new source by a query that begins later`() async throws
  {
    let provider = JSONProvider()
    let router = DatabaseRouter<Routes>(provider)
    var controllers: [QueryController<RouterRequest<Routes, [Todo]>>] = []
    for todo in [Todo.milk, .bread] {
      try provider.createSourceInMemory()
      try await provider.execute(SQL(unsafe: TodoDatabase.schema))
      try await provider.execute(
        "INSERT INTO todos VALUES (?, ?, false)", withParameters: [todo.id, todo.name])
      // Waits until the previous controller has processed its end.
      for _ in 0..<1_000 where controllers.last?.value != [todo] {
        let controller = QueryController(
          RouterRequest<Routes, [Todo]>(.todos(.fetch)), in: router)
        for await phase in controller.phases where !phase.isLoading { break }
        controllers.append(controller)
        await Task.yield()
      }
      #expect(controllers.last?.value == [todo])
      try await provider.closeSource(discardingChanges: true)
    }
  }
}
