/// The key of an environment value.
public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

/// A view's environment.
public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// A property that is read from the environment.
@propertyWrapper public struct Environment<Value>: DynamicProperty {
  final class Slot { var values = EnvironmentValues() }

  private let path: KeyPath<EnvironmentValues, Value>
  private let slot = Slot()

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { path = keyPath }

  public var wrappedValue: Value { slot.values[keyPath: path] }
}

extension Environment: Installable {
  func install(
    _ values: EnvironmentValues, _ states: inout [String: AnyObject], at path: String,
    onChange: @escaping @MainActor () -> Void
  ) {
    slot.values = values
  }
}
