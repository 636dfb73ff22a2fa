public import Observe
public import SQLiteCore

/// A route as a request: its result is shown, and stays up to date.
///
/// ```swift
/// @Query(RouteRequest<Todo>(.fetch(from: "todos", order: .ascending("name")))) var todos: [Todo]
/// ```
///
/// The route is observed as by ``SQLiteRouteExecutor/observe(_:for:expecting:)``. Equal requests in one database share
/// one observation. A failed route runs again at the next commit.
///
/// It has no policies, because they can't be compared. To use policies, define a `Queryable` whose context is an
/// executor, and whose values come from ``LiveRouteExecutor/observeValues(_:for:)``.
public struct RouteRequest<Element: Decodable & Sendable>: ValueObservationQueryable {
  public static var defaultValue: [Element] { [] }

  /// The route to read. A route that writes causes an error.
  public var route: DatabaseRoute
  /// The limits for the size of the route and the number of rows read.
  public var limits: DatabaseRoute.Limits
  /// Filters that restrict the rows of a table that may be read: see ``SQLiteRouteExecutor/rowFilters``.
  public var rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter]

  public init(
    _ route: DatabaseRoute, limits: DatabaseRoute.Limits = DatabaseRoute.Limits(),
    rowFilters: [DatabaseRoute.Table: DatabaseRoute.Filter] = [:]
  ) {
    self.route = route
    self.limits = limits
    self.rowFilters = rowFilters
  }

  public func fetch(_ db: Connection) throws -> [Element] {
    var region = Region.nothing
    return try live().fetch(db, &region)
  }

  @MainActor public func values(in context: DatabaseContext) throws -> QueryValues<[Element]> {
    let live = try live()
    return QueryValues(
      observing: try context.reader, isDuplicate: Self.areEqual, name: route.description,
      trackingRegion: { try live.fetch($0, &$1) })
  }

  private func live() throws -> LiveRoute<Element> {
    var settings = RouteSettings()
    settings.limits = limits
    settings.rowFilters = rowFilters
    return try LiveRoute(route, expecting: nil, settings: settings)
  }

  /// Returns whether values can be compared and are equal.
  @Sendable private static func areEqual(_ a: [Element], _ b: [Element]) -> Bool {
    func equals<Other: Equatable>(_ a: Other, _ b: Element) -> Bool { b as? Other == a }
    return a.count == b.count
      && zip(a, b).allSatisfy { a, b in
        guard let a = a as? any Equatable else { return false }
        return equals(a, b)
      }
  }
}
