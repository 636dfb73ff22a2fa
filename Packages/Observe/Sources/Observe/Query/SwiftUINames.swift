// Where there is no SwiftUI, its names for these stand for ours, so that the same declarations compile
// with it and without.
#if !(canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN))
  public typealias EnvironmentValues = QueryEnvironment
  public typealias EnvironmentKey = QueryEnvironment.Key
  public typealias Binding = QueryBinding
#endif
