// Without SwiftUI, its names are aliases of the corresponding types here, so that the same
// declarations compile with and without SwiftUI.
#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  /// SwiftUI's name of ``QueryEnvironment``, for declarations that also compile with SwiftUI.
  public typealias EnvironmentValues = QueryEnvironment
  /// SwiftUI's name of ``QueryEnvironment/Key``, for declarations that also compile with SwiftUI.
  public typealias EnvironmentKey = QueryEnvironment.Key
  /// SwiftUI's name of ``QueryBinding``, for declarations that also compile with SwiftUI.
  public typealias Binding = QueryBinding
#endif
