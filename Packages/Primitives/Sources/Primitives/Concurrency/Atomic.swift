public import CAtomics

/// A value that threads can read and write atomically, without a lock.
///
/// This type replaces the standard library's `Atomic`, which requires macOS 15 and iOS 18. It
/// provides the functions that the packages need. Additions wrap on overflow.
///
/// ```swift
/// let last = Atomic(0)
/// let number = last.add(1, ordering: .relaxed).newValue
/// ```
@safe public struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<UInt64>

  @inlinable
  public init(_ initial: Value) {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: initial.bits)
  }

  @inlinable
  deinit { unsafe pointer.deallocate() }

  /// Returns the value. `releasing` is not an ordering of a load, and is treated as the strongest
  /// ordering.
  @inlinable @inline(__always)
  public borrowing func load(ordering: AtomicOrdering) -> Value {
    unsafe Value(bits: holt_atomic_load(pointer, ordering.rawValue))
  }

  /// Stores a value. `acquiring` is not an ordering of a store, and is treated as the strongest
  /// ordering.
  @inlinable @inline(__always)
  public borrowing func store(_ value: Value, ordering: AtomicOrdering) {
    unsafe holt_atomic_store(pointer, value.bits, ordering.rawValue)
  }

  /// Stores a value.
  ///
  /// - Returns: The previous value.
  @inlinable @inline(__always)
  public borrowing func exchange(_ value: Value, ordering: AtomicOrdering) -> Value {
    unsafe Value(bits: holt_atomic_exchange(pointer, value.bits, ordering.rawValue))
  }

  /// Stores `desired` if the current value is `expected`.
  ///
  /// - Returns: Whether the values were exchanged, and the previous value.
  @inlinable @inline(__always)
  public borrowing func compareExchange(
    expected: Value, desired: Value, ordering: AtomicOrdering
  ) -> (exchanged: Bool, original: Value) {
    var found = expected.bits
    let isExchanged = unsafe holt_atomic_compare_exchange(pointer, &found, desired.bits)
    return (isExchanged, Value(bits: found))
  }
}

extension Atomic where Value: FixedWidthInteger {
  @inlinable @inline(__always) @discardableResult
  public borrowing func add(
    _ operand: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) {
    let old = unsafe Value(bits: holt_atomic_add(pointer, operand.bits, ordering.rawValue))
    return (old, old &+ operand)
  }

  @inlinable @inline(__always) @discardableResult
  public borrowing func subtract(
    _ operand: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) {
    add(0 &- operand, ordering: ordering)
  }

  @inlinable @inline(__always) @discardableResult
  public borrowing func bitwiseOr(
    _ operand: Value, ordering: AtomicOrdering
  ) -> (oldValue: Value, newValue: Value) {
    let old = unsafe Value(bits: holt_atomic_or(pointer, operand.bits, ordering.rawValue))
    return (old, old | operand)
  }
}

/// The memory ordering of an atomic operation.
///
/// The cases have the same meaning as in the standard library's `AtomicUpdateOrdering`.
@frozen public enum AtomicOrdering: Int32, Sendable {
  case relaxed
  case acquiring
  case releasing
  case acquiringAndReleasing
  case sequentiallyConsistent
}

/// A type of values that an ``Atomic`` can store.
public protocol AtomicValue: Sendable {
  init(bits: UInt64)
  var bits: UInt64 { get }
}

extension AtomicValue where Self: FixedWidthInteger {
  @inlinable @inline(__always)
  public init(bits: UInt64) { self.init(truncatingIfNeeded: bits) }

  @inlinable @inline(__always)
  public var bits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int: AtomicValue {}
extension UInt: AtomicValue {}
extension UInt8: AtomicValue {}
extension UInt64: AtomicValue {}

extension Bool: AtomicValue {
  @inlinable @inline(__always)
  public init(bits: UInt64) { self = bits != 0 }

  @inlinable @inline(__always)
  public var bits: UInt64 { self ? 1 : 0 }
}
