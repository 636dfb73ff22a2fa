#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  /// Provides the storage of a ``Query``. Outside SwiftUI, the storage is created with the
  /// property.
  struct QueryStorageProvider<Request: Queryable> {
    let storage: QueryStorage<Request>

    init(
      _ source: QueryStorage<Request>.Source,
      in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
    ) {
      storage = QueryStorage(source) { $0[keyPath: context] }
    }
  }
#endif
