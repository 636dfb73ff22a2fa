#if canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN)
  public import SwiftUI

  /// Provides the storage of a ``Query``: in a view, the storage that its first instance created;
  /// elsewhere, the storage created with the property.
  struct QueryStorageProvider<Request: Queryable>: DynamicProperty {
    /// The storage of a view, which persists when the view is created again.
    @MainActor final class StorageBox {
      var storage: QueryStorage<Request>?

      nonisolated init() {}

      fileprivate func update(
        _ declared: QueryStorage<Request>, _ context: ContextTransfer, _ isEnabled: Bool
      ) {
        let storage = storage ?? declared
        self.storage = storage
        storage.update(from: declared, in: context.value as? Request.Context, isEnabled: isEnabled)
      }
    }

    private let declared: QueryStorage<Request>
    @Environment private var context: Any?
    @Environment private var isEnabled: Bool
    @State private var storageBox: StorageBox

    init(
      _ source: QueryStorage<Request>.Source,
      in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
    ) {
      // Whether the query belongs to a view is not known yet; SwiftUI has no context for other
      // types.
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
      _storageBox = State(wrappedValue: StorageBox())
    }

    @MainActor var storage: QueryStorage<Request> { storageBox.storage ?? declared }

    func update() {
      let (declared, storageBox, isEnabled) = (declared, storageBox, isEnabled)
      let context = ContextTransfer(value: context)
      // SwiftUI does not guarantee that this is called on the main thread.
      if MainThread.isCurrent {
        MainActor.assumeIsolated { storageBox.update(declared, context, isEnabled) }
      } else {
        Task { @MainActor in storageBox.update(declared, context, isEnabled) }
      }
    }

    /// Transfers a view's context to the main actor.
    ///
    /// `@unchecked Sendable`: `value` was read for this transfer, and is not used elsewhere.
    fileprivate struct ContextTransfer: @unchecked Sendable {
      let value: Any?
    }
  }

  extension Query: DynamicProperty {
    /// Creates a query in a view's environment with an initial request, which its users can change.
    public init(
      _ request: Request, in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(storageProvider: QueryStorageProvider(.initial(request), in: context))
    }

    /// Creates a query in a view's environment whose request only the view's parent can change.
    public init(
      constant request: Request,
      in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(storageProvider: QueryStorageProvider(.constant(request), in: context))
    }

    /// Creates a query in a view's environment whose request is stored elsewhere.
    public init(
      _ request: Binding<Request>,
      in context: any KeyPath<EnvironmentValues, Request.Context> & Sendable
    ) {
      self.init(storageProvider: QueryStorageProvider(.binding(request), in: context))
    }
  }
#endif
