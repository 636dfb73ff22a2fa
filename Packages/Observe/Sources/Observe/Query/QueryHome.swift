#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  /// Where a ``Query`` finds what it keeps: outside of SwiftUI, where it was declared.
  struct QueryHome<Request: Queryable> {
    let storage: QueryStorage<Request>

    init(
      _ source: QueryStorage<Request>.Source,
      in context: any KeyPath<QueryEnvironment, Request.Context> & Sendable
    ) {
      storage = QueryStorage(source) { $0[keyPath: context] }
    }
  }
#endif
