// A substitute for the names and types of Apple's module. It is compiled, and never run.
public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

public struct CombineIdentifier: Hashable, Sendable {
  public init() {}
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  public var combineIdentifier: CombineIdentifier { CombineIdentifier() }
}

public protocol Cancellable {
  func cancel()
}

public final class AnyCancellable: Cancellable {
  public init(_ cancel: @escaping () -> Void) {}
  public func cancel() {}
}

public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public enum Subscribers {
  public struct Demand: Hashable, Comparable, Sendable {
    public static let unlimited = Demand()
    public static let none = Demand()
    public static func += (one: inout Demand, other: Demand) {}
    public static func -= (one: inout Demand, count: Int) {}
    public static func < (one: Demand, other: Demand) -> Bool { false }
  }

  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

public enum Publishers {
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    public typealias Failure = Upstream.Failure
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {}
  }
}

extension Publisher {
  public func scan<T>(
    _ initial: T, _ next: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> { Publishers.Scan() }
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable { AnyCancellable {} }
}
