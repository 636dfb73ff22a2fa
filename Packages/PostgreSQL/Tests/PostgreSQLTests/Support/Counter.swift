import Primitives

/// A number that several tasks change.
final class Counter: Sendable {
  private let count = Mutex(0)

  @discardableResult
  func increment() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }

  var value: Int { count.withLock { $0 } }
}

/// Values that a closure collects.
final class Collected<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  func append(_ value: Value) { list.withLock { $0.append(value) } }

  var values: [Value] { list.withLock { $0 } }
}
