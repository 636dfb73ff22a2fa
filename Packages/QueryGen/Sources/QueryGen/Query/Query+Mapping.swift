extension Query {
  /// The same query with its answers changed.
  ///
  /// ```swift
  /// let titles: any Query<Void, [String]> = db.selectTodos.map { todos in todos.map(\.name) }
  /// ```
  public func map<NewOutput: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> NewOutput
  ) -> some Query<Input, NewOutput> {
    Queries.Calling<Input, NewOutput> { input in
      try transform(try await execute(input))
    } executeMany: { inputs in
      try (try await execute(many: inputs)).map { try transform($0) }
    } observe: { input in
      Queries.Stream(observe(input).map { try transform($0) })
    }
  }

  /// The same query asked with something else.
  ///
  /// ```swift
  /// let find: any Query<User, [Todo]> = db.todosOf.mapInput { user in user.id }
  /// ```
  public func mapInput<NewInput: Sendable>(
    _ transform: @escaping @Sendable (NewInput) throws -> Input
  ) -> some Query<NewInput, Output> {
    Queries.Calling<NewInput, Output> { input in
      try await execute(try transform(input))
    } executeMany: { inputs in
      try await execute(many: try inputs.map { try transform($0) })
    } observe: { input in
      do { return observe(try transform(input)) } catch { return Queries.Stream(throwing: error) }
    }
  }

  /// The same query with its input settled.
  public func with(_ input: Input) -> some Query<Void, Output> { mapInput { input } }
}
