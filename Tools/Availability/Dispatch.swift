// Declarations of Apple's module for type checking. This code is never run.

public struct DispatchTime: Comparable, Sendable {
  public let uptimeNanoseconds: UInt64
  public init(uptimeNanoseconds: UInt64) { self.uptimeNanoseconds = uptimeNanoseconds }
  public static func now() -> DispatchTime { DispatchTime(uptimeNanoseconds: 0) }
  public static func < (one: DispatchTime, other: DispatchTime) -> Bool { false }
  public static func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { time }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime { time }
}

public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never
}

public enum DispatchTimeoutResult: Sendable {
  case success
  case timedOut
}

public final class DispatchSemaphore: Sendable {
  public init(value: Int) {}
  @discardableResult public func signal() -> Int { 0 }
  public func wait() {}
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { .success }
}

public final class DispatchQueue: Sendable {
  public init(label: String) {}
  public static func concurrentPerform(iterations: Int, execute: (Int) -> Void) {}
  public func async(execute: @escaping @Sendable () -> Void) {}
  public func asyncAfter(deadline: DispatchTime, execute: @escaping @Sendable () -> Void) {}
  public func sync<T>(execute: () throws -> T) rethrows -> T { try execute() }
}

public protocol DispatchSourceProtocol: AnyObject, Sendable {
  func setEventHandler(handler: (@Sendable () -> Void)?)
  func setCancelHandler(handler: (@Sendable () -> Void)?)
  func resume()
  func cancel()
}

public protocol DispatchSourceRead: DispatchSourceProtocol {}

public protocol DispatchSourceFileSystemObject: DispatchSourceProtocol {
  var data: DispatchSource.FileSystemEvent { get }
}

public enum DispatchSource {
  public struct FileSystemEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let delete = FileSystemEvent(rawValue: 1)
    public static let write = FileSystemEvent(rawValue: 2)
    public static let extend = FileSystemEvent(rawValue: 4)
    public static let rename = FileSystemEvent(rawValue: 8)
  }

  public static func makeFileSystemObjectSource(
    fileDescriptor: Int32, eventMask: FileSystemEvent, queue: DispatchQueue?
  ) -> any DispatchSourceFileSystemObject { preconditionFailure() }

  public static func makeReadSource(
    fileDescriptor: Int32, queue: DispatchQueue?
  ) -> any DispatchSourceRead { preconditionFailure() }
}
