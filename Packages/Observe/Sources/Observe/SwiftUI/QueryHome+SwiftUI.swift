#if canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN)
  public import SwiftUI

  /// Where a ``Query`` finds what it keeps: in a view, what the first view of its place has declared;
  /// elsewhere, what it has declared itself.
  struct QueryHome<Request: Queryable>: DynamicProperty {
    /// What a place in the tree of views keeps, however often its view is made anew.
    @MainActor final class Keeper {
      var storage: QueryStorage<Request>?

      nonisolated init() {}

      fileprivate func enter(
        _ declared: QueryStorage<Request>, _ context: Carried, _ isEnabled: Bool
      ) {
        let storage = storage ?? declared
        self.storage = storage
        storage.enter(declared, in: context.value as? Request.Context, isEnabled: isEnabled)
      }
    }

    private let declared: QueryStorage<Request>
    @Environment private var context: Any?
    @Environment private var isEnabled: Bool
    @State private var keeper: Keeper

    init(
      _ source: QueryStorage<Request>.Source,
      in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
    ) {
      // Whether the query is a view's is not known yet; SwiftUI has no context for other types.
      let isStandard = Request.Context.self == DatabaseContext.self
      self.init(
        QueryStorage(source) { $0[keyPath: context] },
        isStandard ? \.standardQueryContext : \.noQueryContext)
    }

    init(
      _ source: QueryStorage<Request>.Source,
      in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(
        QueryStorage(source) { _ in EnvironmentValues()[keyPath: context] },
        \EnvironmentValues.[queryContext: context])
    }

    private init(
      _ declared: QueryStorage<Request>, _ path: KeyPath<EnvironmentValues, Any?>
    ) {
      self.declared = declared
      _context = Environment(path)
      _isEnabled = Environment(\.queryObservationEnabled)
      _keeper = State(wrappedValue: Keeper())
    }

    @MainActor var storage: QueryStorage<Request> { keeper.storage ?? declared }

    func update() {
      let (declared, keeper, isEnabled) = (declared, keeper, isEnabled)
      let context = Carried(value: context)
      // SwiftUI does not promise the main thread.
      if MainThread.isCurrent {
        MainActor.assumeIsolated { keeper.enter(declared, context, isEnabled) }
      } else {
        Task { @MainActor in keeper.enter(declared, context, isEnabled) }
      }
    }

    /// A view's context on its way to the main actor.
    ///
    /// `@unchecked Sendable`: nobody else has `value`, which was read for this.
    fileprivate struct Carried: @unchecked Sendable {
      let value: Any?
    }
  }

  extension Query: DynamicProperty {
    /// A query in a view's environment that begins with a request, which its users may change.
    public init(
      _ request: Request, in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(home: QueryHome(.initial(request), in: context))
    }

    /// A query in a view's environment whose request only the view's parent changes.
    public init(
      constant request: Request,
      in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(home: QueryHome(.constant(request), in: context))
    }

    /// A query in a view's environment whose request is kept elsewhere.
    public init(
      _ request: Binding<Request>,
      in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(home: QueryHome(.binding(request), in: context))
    }
  }
#endif
