#if canImport(SwiftUI) && (canImport(Darwin) || HOLT_SWIFTUI_STAND_IN)
  public import SwiftUI

  /// A value that is kept elsewhere, and can be read and set here: SwiftUI's.
  public typealias QueryBinding = Binding
#else
  /// A value that is kept elsewhere, and can be read and set here.
  ///
  /// Where there is SwiftUI this is its `Binding`, and where there is none it is called that, too.
  @propertyWrapper
  @dynamicMemberLookup
  public struct QueryBinding<Value>: Sendable {
    private let read: @MainActor () -> Value
    private let write: @MainActor (Value) -> Void

    /// A binding to what `get` gives and `set` takes.
    public init(
      get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void
    ) {
      read = get
      write = set
    }

    /// The value, where it is kept.
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

// What the other files use of a binding, whichever it is: they need not import SwiftUI then.
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
