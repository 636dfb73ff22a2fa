internal import Primitives

/// The value of a ``Model``, guarded by a lock, which makes the class `Sendable`.
///
/// ```swift
/// final class Album: Model {
///   struct Value: Table {
///     var id: AutoId = 0
///     var name = ""
///   }
///   let storage: ModelStorage<Value>
///   init(_ value: Value) { storage = ModelStorage(value) }
///   var value: Value {
///     get { storage.value }
///     set { storage.value = newValue }
///   }
/// }
/// ```
///
/// The `@Table` macro generates these members.
public final class ModelStorage<Value: Table>: Sendable {
  private let content: Mutex<Value>

  public init(_ value: Value) { content = Mutex(value) }

  /// The value. A read followed by a write is two accesses; another thread may write in between.
  public var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
