/// Something to be asked, whoever answers it: a database, or a stand-in without one.
///
/// Models take `any Query<Input, Output>`, or the name that is generated for each query, and know
/// nothing of the database behind it.
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
  /// What the query takes: `Void`, one value, or a struct of several.
  associatedtype Input: Sendable
  /// What it gives.
  associatedtype Output: Sendable

  /// Asks once.
  @discardableResult
  func execute(_ input: Input) async throws -> Output

  /// Asks once for each input, in their order: a database does it in one transaction, so that all is
  /// done or nothing, and with one compiled statement.
  ///
  /// ```swift
  /// try await db.addTodo.execute(many: names.map { AddTodoInput(name: $0) })
  /// ```
  ///
  /// - Returns: An answer for each input.
  @discardableResult
  func execute(many inputs: [Input]) async throws -> [Output]

  /// Asks now, and again whenever the answer may have changed.
  ///
  /// Nothing is asked before the stream is iterated; each iteration is an observation of its own.
  func observe(_ input: Input) -> Queries.Stream<Output>
}

extension Query {
  /// Asks one after another, each for itself.
  @discardableResult
  public func execute(many inputs: [Input]) async throws -> [Output] {
    var outputs: [Output] = []
    outputs.reserveCapacity(inputs.count)
    for input in inputs { outputs.append(try await execute(input)) }
    return outputs
  }
}

extension Query where Input == Void {
  /// Asks once.
  @discardableResult
  public func execute() async throws -> Output { try await execute(()) }

  /// Asks now, and again whenever the answer may have changed.
  public func observe() -> Queries.Stream<Output> { observe(()) }
}

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

/// Queries without a database: for tests, previews, and whatever else can answer.
public enum Queries {}
