public import SQLiteCore

/// Routes that were run, with what came of each: as a value, and in a file.
///
/// A ``RouteRecording/RecordingExecutor`` makes one, a ``RouteRecording/ReplayingExecutor`` answers by it. It holds the values of the
/// routes and of the rows, whatever they are: keep no secrets in it.
public struct RouteRecording: Hashable, Sendable {
  /// The version of the written form that this release writes. It reads this and older ones.
  public static let version = 2

  /// What was called, in the order in which the calls began.
  public var calls: [Call]

  public init(calls: [Call] = []) { self.calls = calls }

  /// One call of an executor.
  public struct Call: Hashable, Sendable {
    /// The route, as it ran: with what the call demanded, and what it had given back. Several where they ran
    /// together.
    public var routes: [DatabaseRoute]
    /// Whether the routes ran together, all or none.
    public var isTogether: Bool
    /// What came of it.
    public var outcome: Outcome

    public init(_ route: DatabaseRoute, _ response: DatabaseRoute.Response) {
      routes = [route]
      isTogether = false
      outcome = .responses([response])
    }

    public init(_ route: DatabaseRoute, failure error: any Error) {
      routes = [route]
      isTogether = false
      outcome = .failure(Failure(error))
    }

    public init(together routes: [DatabaseRoute], _ responses: [DatabaseRoute.Response]) {
      self.routes = routes
      isTogether = true
      outcome = .responses(responses)
    }

    public init(together routes: [DatabaseRoute], failure error: any Error) {
      self.routes = routes
      isTogether = true
      outcome = .failure(Failure(error))
    }
  }

  /// What came of a call.
  public enum Outcome: Hashable, Sendable {
    /// A response to each route.
    case responses([DatabaseRoute.Response])
    case failure(Failure)
  }

  /// The error that a call ended with.
  public enum Failure: Hashable, Sendable {
    case router(RouterError)
    case sqlite(SQLiteError)
    case other(RecordedError)

    public init(_ error: any Error) {
      self =
        switch error {
        case let error as RouterError: .router(error)
        case let error as SQLiteError: .sqlite(error)
        case let error as RecordedError: .other(error)
        default:
          .other(RecordedError(type: "\(type(of: error))", description: "\(error)"))
        }
    }

    /// What a replay throws: an equal error where it is a `RouterError` or an `SQLiteError`.
    public var error: any Error {
      switch self {
      case .router(let error): error
      case .sqlite(let error): error
      case .other(let error): error
      }
    }
  }
}

extension RouteRecording {
  /// What is left of an error of another type than those of this library once it was recorded: its words.
  public struct RecordedError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The name of its type.
    public let type: String
    /// What it said.
    public let description: String

    public init(type: String, description: String) {
      self.type = type
      self.description = description
    }
  }
}
