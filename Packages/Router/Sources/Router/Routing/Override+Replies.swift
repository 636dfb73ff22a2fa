/// The same overrides, with a reply or a value that is known.
extension DatabaseRouter.Override {
  /// The case of a path, whatever it carries.
  public static func `case`<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with reply: DatabaseRoute.Reply = .success()
  ) -> Self where Routes: CasePathable {
    .case(path) { _ in reply }
  }

  /// The case of a path, whatever it carries.
  public static func `case`<Value: Sendable>(
    _ path: CaseKeyPath<Routes, Value>, with value: some Encodable & Sendable
  ) -> Self where Routes: CasePathable {
    .case(path, with: .value(value))
  }

  /// One route of the collection, and what it asks of the database.
  public static func route(_ route: Routes, with reply: DatabaseRoute.Reply = .success()) -> Self
  where Routes: RouteCollection {
    .route(route) { _ in reply }
  }

  /// One route of the collection, and what it asks of the database.
  public static func route(_ route: Routes, with value: some Encodable & Sendable) -> Self
  where Routes: RouteCollection {
    .route(route, with: .value(value))
  }

  /// One route of the database.
  public static func route(
    _ route: DatabaseRoute, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .route(route) { _ in reply }
  }

  /// One route of the database.
  public static func route(
    _ route: DatabaseRoute, with value: some Encodable & Sendable
  ) -> Self {
    .route(route, with: .value(value))
  }

  /// Routes of an id, of one table or of all.
  public static func id(
    _ id: String, in table: DatabaseRoute.Table? = nil, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .id(id, in: table) { _ in reply }
  }

  /// Routes of an id, of one table or of all.
  public static func id(
    _ id: String, in table: DatabaseRoute.Table? = nil, with value: some Encodable & Sendable
  ) -> Self {
    .id(id, in: table, with: .value(value))
  }

  /// Routes that do one thing, with one table or with all.
  public static func method(
    _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
    with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .method(method, in: table) { _ in reply }
  }

  /// Routes that do one thing, with one table or with all.
  public static func method(
    _ method: DatabaseRoute.Method, in table: DatabaseRoute.Table? = nil,
    with value: some Encodable & Sendable
  ) -> Self {
    .method(method, in: table, with: .value(value))
  }

  /// All routes of one table.
  public static func table(
    _ table: DatabaseRoute.Table, with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .table(table) { _ in reply }
  }

  /// All routes of one table.
  public static func table(
    _ table: DatabaseRoute.Table, with value: some Encodable & Sendable
  ) -> Self {
    .table(table, with: .value(value))
  }

  /// Routes of which something holds.
  public static func matching(
    _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
    with reply: DatabaseRoute.Reply = .success()
  ) -> Self {
    .matching(predicate) { _ in reply }
  }

  /// Routes of which something holds.
  public static func matching(
    _ predicate: @escaping @Sendable (DatabaseRoute) async throws -> Bool,
    with value: some Encodable & Sendable
  ) -> Self {
    .matching(predicate, with: .value(value))
  }
}
