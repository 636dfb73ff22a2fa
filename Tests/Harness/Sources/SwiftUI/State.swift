/// A property that SwiftUI updates before it evaluates a view's body.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

/// A value that is stored outside the view and outlives it.
@propertyWrapper public struct State<Value>: DynamicProperty {
  final class Slot {
    var value: Value
    var kept: Slot?
    var onChange: (@MainActor () -> Void)?

    init(_ value: Value) { self.value = value }
  }

  private let slot: Slot

  public init(wrappedValue: Value) { slot = Slot(wrappedValue) }

  public var wrappedValue: Value {
    get { (slot.kept ?? slot).value }
    nonmutating set {
      let slot = slot.kept ?? slot
      slot.value = newValue
      if let change = slot.onChange { MainActor.assumeIsolated { change() } }
    }
  }

  public var projectedValue: Binding<Value> {
    let slot = slot
    return Binding {
      (slot.kept ?? slot).value
    } trusted: {
      self.wrappedValue = $0
    }
  }
}

extension State: Installable {
  func install(
    _ values: EnvironmentValues, _ states: inout [String: AnyObject], at path: String,
    onChange: @escaping @MainActor () -> Void
  ) {
    if let known = states[path] as? Slot {
      slot.kept = known
    } else {
      states[path] = slot
    }
    (slot.kept ?? slot).onChange = onChange
  }
}

/// A reference to a value that is stored elsewhere.
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  private let read: () -> Value
  private let write: (Value) -> Void

  /// Creates a binding. As in SwiftUI, the closures may be isolated; here, to the main actor.
  @preconcurrency public init(
    get: @escaping @MainActor @Sendable () -> Value,
    set: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    read = { onMain(get) }
    write = { value in
      let box = UncheckedSendableBox(value)
      onMain { set(box.value) }
    }
  }

  init(_ read: @escaping () -> Value, trusted write: @escaping (Value) -> Void) {
    self.read = read
    self.write = write
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: Binding { self }

  public subscript<Property>(
    dynamicMember property: any WritableKeyPath<Value, Property> & Sendable
  ) -> Binding<Property> {
    Binding<Property> {
      wrappedValue[keyPath: property]
    } trusted: {
      wrappedValue[keyPath: property] = $0
    }
  }
}

// `@unchecked Sendable`: only used on the main thread.
extension Binding: @unchecked Sendable where Value: Sendable {}

/// `@unchecked Sendable`: only used on the main thread.
private struct UncheckedSendableBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

private func onMain<Value>(_ body: @MainActor @Sendable () -> Value) -> Value {
  MainActor.assumeIsolated { UncheckedSendableBox(body()) }.value
}
