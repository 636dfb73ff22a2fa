#if canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN)
  public import SwiftUI

  private struct DatabaseContextKey: EnvironmentKey {
    static var defaultValue: DatabaseContext { .notConnected }
  }

  private struct QueryObservationEnabledKey: EnvironmentKey {
    static var defaultValue: Bool { true }
  }

  extension EnvironmentValues {
    /// The context of queries that name no other context; by default one without a database.
    public fileprivate(set) var databaseContext: DatabaseContext {
      get { self[DatabaseContextKey.self] }
      set { self[DatabaseContextKey.self] = newValue }
    }

    /// A Boolean value that indicates whether queries are observed. If not, they show their last
    /// values.
    public var queryObservationEnabled: Bool {
      get { self[QueryObservationEnabledKey.self] }
      set { self[QueryObservationEnabledKey.self] = newValue }
    }

    /// A type-erased context, which is optional for a query.
    subscript<Context>(queryContext path: KeyPath<EnvironmentValues, Context>) -> Any? {
      self[keyPath: path]
    }

    var standardQueryContext: Any? { databaseContext }

    var noQueryContext: Any? { nil }
  }

  extension View {
    /// Sets the context of queries that name no other context.
    public func databaseContext(_ context: DatabaseContext) -> some View {
      environment(\.databaseContext, context)
    }

    /// Sets when the queries of this view and its subviews are observed.
    public func queryObservation(_ observation: QueryObservation) -> some View {
      QueryObservationView(content: self, observation: observation)
    }
  }

  extension Scene {
    /// Sets the context of queries that name no other context.
    public func databaseContext(_ context: DatabaseContext) -> some Scene {
      environment(\.databaseContext, context)
    }
  }

  /// The period during which queries are observed.
  public enum QueryObservation: Hashable, Sendable {
    /// From before the view is first shown, until it is removed.
    case always
    /// From before the view is first shown, but not while it has disappeared.
    case onRender
    /// Only while the view has appeared: it is first shown with the default values.
    case onAppear
  }

  private struct QueryObservationView<Content: View>: View {
    let content: Content
    let observation: QueryObservation
    @State private var isVisible: Bool

    init(content: Content, observation: QueryObservation) {
      self.content = content
      self.observation = observation
      _isVisible = State(wrappedValue: observation != .onAppear)
    }

    var body: some View {
      content
        .environment(\.queryObservationEnabled, observation == .always || isVisible)
        .onAppear { isVisible = true }
        .onDisappear { isVisible = false }
    }
  }
#endif
