internal import Primitives
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

extension RouteRecording: Codable {
  private enum CodingKeys: CodingKey { case version, calls }

  /// - Throws: `DecodingError` for what is no recording, or one that a later release wrote.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard (1...Self.version).contains(version) else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "a recording of version \(version); known are 1 to \(Self.version)")
    }
    calls = try container.decode([Call].self, forKey: .calls)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.version, forKey: .version)
    try container.encode(calls, forKey: .calls)
  }
}

/// One route is written as `route` and `response`, several that ran together as `routes` and `responses`.
extension RouteRecording.Call: Codable {
  enum CodingKeys: CodingKey { case route, routes, response, responses, failure }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    isTogether = container.contains(.routes)
    routes =
      isTogether
      ? try container.decode([DatabaseRoute].self, forKey: .routes)
      : [try container.decode(DatabaseRoute.self, forKey: .route)]
    if container.contains(.failure) {
      outcome = .failure(try container.decode(RouteRecording.Failure.self, forKey: .failure))
      return
    }
    let responses =
      isTogether
      ? try container.decode([CodedResponse].self, forKey: .responses)
      : [try container.decode(CodedResponse.self, forKey: .response)]
    guard responses.count == routes.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .responses, in: container,
        debugDescription: "\(routes.count) routes with \(responses.count) responses")
    }
    outcome = .responses(responses.map(\.response))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if isTogether {
      try container.encode(routes, forKey: .routes)
    } else {
      try container.encode(routes.first, forKey: .route)
    }
    switch outcome {
    case .failure(let failure): try container.encode(failure, forKey: .failure)
    case .responses(let responses) where isTogether:
      try container.encode(responses.map(CodedResponse.init), forKey: .responses)
    case .responses(let responses):
      try container.encode(responses.first.map(CodedResponse.init), forKey: .response)
    }
  }
}

/// A response as it is written: each value with its type, and nothing that goes without saying.
struct CodedResponse: Codable {
  let response: DatabaseRoute.Response

  init(_ response: DatabaseRoute.Response) { self.response = response }

  enum CodingKeys: CodingKey { case columns, rows, affected }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rows = try container.decodeIfPresent([[DataValue]].self, forKey: .rows) ?? []
    response = DatabaseRoute.Response(
      columns: try container.decodeIfPresent([String].self, forKey: .columns) ?? [],
      rows: rows,
      affected: try container.decodeIfPresent(Int.self, forKey: .affected) ?? 0)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !response.columns.isEmpty { try container.encode(response.columns, forKey: .columns) }
    if !response.rows.isEmpty { try container.encode(response.rows, forKey: .rows) }
    if response.affected != 0 { try container.encode(response.affected, forKey: .affected) }
  }
}

extension RouteRecording.Failure: Codable {
  private enum CodingKeys: CodingKey { case router, sqlite, other }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let error = try container.decodeIfPresent(RouterError.self, forKey: .router) {
      self = .router(error)
    } else if let error = try container.decodeIfPresent(CodedSQLiteError.self, forKey: .sqlite) {
      self = .sqlite(error.error)
    } else {
      self = .other(try container.decode(RouteRecording.RecordedError.self, forKey: .other))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .router(let error): try container.encode(error, forKey: .router)
    case .sqlite(let error): try container.encode(CodedSQLiteError(error), forKey: .sqlite)
    case .other(let error): try container.encode(error, forKey: .other)
    }
  }

  private struct CodedSQLiteError: Codable {
    var code: Int32
    var message: String
    var sql: String?
    var offset: Int?
    var expandedSQL: String?
    var column: Column?

    struct Column: Codable {
      var name: String
      var table: String?
      var origin: String?
    }

    init(_ error: SQLiteError) {
      code = error.code.rawValue
      message = error.message
      sql = error.sql
      offset = error.offset?.rawValue
      expandedSQL = error.expandedSQL
      column = error.column.map { Column(name: $0.name, table: $0.table, origin: $0.origin) }
    }

    var error: SQLiteError {
      SQLiteError(
        code: .init(rawValue: code), message: message, sql: sql,
        offset: offset.map(SQLiteError.ByteOffset.init), expandedSQL: expandedSQL,
        column: column.map { .init(name: $0.name, table: $0.table, origin: $0.origin) })
    }
  }
}
