// Without SwiftUI, its names are aliases of the corresponding types here, so that the same
// declarations compile with and without SwiftUI.
#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  public typealias EnvironmentValues = QueryEnvironment
  public typealias EnvironmentKey = QueryEnvironment.Key
  public typealias Binding = QueryBinding
#endif
