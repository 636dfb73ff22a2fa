/// An operation with an input and a result, executed by a database or by a test double.
///
/// Models take an `any Query<Input, Output>`, or the type alias that is generated for each query,
/// and are independent of the database.
///
/// ```swift
/// struct Greeter {
///   let fetchName: any Query<Int, String>
///
///   func greeting(for id: Int) async throws -> String {
///     "Hello, \(try await fetchName.execute(id))"
///   }
/// }
///
/// let live = Greeter(fetchName: db.fetchName)
/// let test = Greeter(fetchName: Queries.Just("Ada"))
/// ```
public protocol Query<Input, Output>: Sendable {
  /// The query's input: `Void`, one value, or a struct of several.
  associatedtype Input: Sendable
  /// The query's result.
  associatedtype Output: Sendable

  /// Executes the query.
  @discardableResult
  func execute(_ input: Input) async throws -> Output

  /// Executes the query for each input, in order. A database does so in one transaction, so that
  /// either all executions take effect or none, and with one compiled statement.
  ///
  /// ```swift
  /// try await db.addTodo.execute(many: names.map { AddTodoInput(name: $0) })
  /// ```
  ///
  /// - Returns: The results, in the order of the inputs.
  @discardableResult
  func execute(many inputs: [Input]) async throws -> [Output]

  /// Executes the query now, and again whenever the result may have changed.
  ///
  /// The query is not executed before the stream is iterated; each iteration is a separate
  /// observation.
  func observe(_ input: Input) -> Queries.Stream<Output>
}

extension Query {
  /// Executes the query for each input separately, in order.
  @discardableResult
  public func execute(many inputs: [Input]) async throws -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(inputs.count)
    for input in inputs { outputs.append(try await execute(input)) }
    return outputs
  }
}

extension Query where Input == Void {
  /// Executes the query.
  @discardableResult
  public func execute() async throws -> Output { try await execute(()) }

  /// Executes the query now, and again whenever the result may have changed.
  public func observe() -> Queries.Stream<Output> { observe(()) }
}

extension Query {
  /// Returns a query that transforms the results of this one.
  ///
  /// ```swift
  /// let titles: any Query<Void, [String]> = db.selectTodos.map { todos in todos.map(\.name) }
  /// ```
  public func map<NewOutput: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> NewOutput
  ) -> some Query<Input, NewOutput> {
    Queries.ClosureQuery<Input, NewOutput> { input in
      try transform(try await execute(input))
    } executeMany: { inputs in
      try (try await execute(many: inputs)).map { try transform($0) }
    } observe: { input in
      Queries.Stream(observe(input).map { try transform($0) })
    }
  }

  /// Returns a query that transforms its input to the input of this one.
  ///
  /// ```swift
  /// let find: any Query<User, [Todo]> = db.todosOf.mapInput { user in user.id }
  /// ```
  public func mapInput<NewInput: Sendable>(
    _ transform: @escaping @Sendable (NewInput) throws -> Input
  ) -> some Query<NewInput, Output> {
    Queries.ClosureQuery<NewInput, Output> { input in
      try await execute(try transform(input))
    } executeMany: { inputs in
      try await execute(many: try inputs.map { try transform($0) })
    } observe: { input in
      do { return observe(try transform(input)) } catch { return Queries.Stream(throwing: error) }
    }
  }

  /// Returns a query that executes this one with a fixed input.
  public func with(_ input: Input) -> some Query<Void, Output> { mapInput { input } }
}

/// A namespace for the types that queries use, including test doubles that need no database.
public enum Queries {}
