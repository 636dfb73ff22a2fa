#if canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN)
  public import SwiftUI

  /// A reference to a value that is stored elsewhere, for reading and writing: SwiftUI's `Binding`.
  public typealias QueryBinding = Binding
#else
  /// A reference to a value that is stored elsewhere, for reading and writing.
  ///
  /// On platforms with SwiftUI this is SwiftUI's `Binding`; on others, `Binding` is an alias of
  /// this type.
  @propertyWrapper
  @dynamicMemberLookup
  public struct QueryBinding<Value>: Sendable {
    private let read: @MainActor () -> Value
    private let write: @MainActor (Value) -> Void

    /// Creates a binding that reads with `get` and writes with `set`.
    public init(
      get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void
    ) {
      read = get
      write = set
    }

    /// The referenced value.
    @MainActor public var wrappedValue: Value {
      get { read() }
      nonmutating set { write(newValue) }
    }

    public var projectedValue: QueryBinding { self }

    /// A binding to one of the value's properties.
    public subscript<Property>(
      dynamicMember property: any WritableKeyPath<Value, Property> & Sendable
    ) -> QueryBinding<Property> {
      QueryBinding<Property> {
        wrappedValue[keyPath: property]
      } set: {
        wrappedValue[keyPath: property] = $0
      }
    }
  }
#endif

// The operations that other files use on either kind of binding, so that they need not import
// SwiftUI.
extension QueryBinding {
  @MainActor init(
    reading read: @escaping @MainActor @Sendable () -> Value,
    writing write: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    self.init(get: read, set: write)
  }

  @MainActor var bound: Value {
    get { wrappedValue }
    nonmutating set { wrappedValue = newValue }
  }

  @MainActor func property<Property>(
    _ path: any WritableKeyPath<Value, Property> & Sendable
  ) -> QueryBinding<Property> {
    self[dynamicMember: path]
  }
}
