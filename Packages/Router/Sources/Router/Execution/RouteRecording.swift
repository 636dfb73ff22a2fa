internal import Primitives
public import SQLiteCore

/// Routes that were run, with their outcomes, as a value or a file.
///
/// A ``RouteRecording/RecordingExecutor`` creates a recording, and a ``RouteRecording/ReplayingExecutor`` answers calls
/// with it. It contains all values of the routes and rows in clear text: don't record secrets.
public struct RouteRecording: Hashable, Sendable {
  /// The version of the encoded form that this release writes. It also reads older versions.
  public static let version = 2

  /// The calls, in the order in which they began.
  public var calls: [Call]

  public init(calls: [Call] = []) { self.calls = calls }

  /// One call of an executor.
  public struct Call: Hashable, Sendable {
    /// The route as it ran, including the call's expectation and the selection of returned rows. Several routes if they
    /// ran together.
    public var routes: [DatabaseRoute]
    /// A Boolean value that indicates whether the routes ran in one transaction.
    public var isBatch: Bool
    /// The outcome of the call.
    public var outcome: Outcome

    public init(_ route: DatabaseRoute, _ response: DatabaseRoute.Response) {
      routes = [route]
      isBatch = false
      outcome = .responses([response])
    }

    public init(_ route: DatabaseRoute, failure error: any Error) {
      routes = [route]
      isBatch = false
      outcome = .failure(Failure(error))
    }

    public init(batch routes: [DatabaseRoute], _ responses: [DatabaseRoute.Response]) {
      self.routes = routes
      isBatch = true
      outcome = .responses(responses)
    }

    public init(batch routes: [DatabaseRoute], failure error: any Error) {
      self.routes = routes
      isBatch = true
      outcome = .failure(Failure(error))
    }
  }

  /// The outcome of a call.
  public enum Outcome: Hashable, Sendable {
    /// A response for each route.
    case responses([DatabaseRoute.Response])
    case failure(Failure)
  }

  /// The error of a call.
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

    /// The error that a replay throws: an equal error for a `RouterError` or an `SQLiteError`.
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
  /// A recorded error of any other type, reduced to its type name and description.
  public struct RecordedError: Error, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The name of the error's type.
    public let type: String
    /// The error's description.
    public let description: String

    public init(type: String, description: String) {
      self.type = type
      self.description = description
    }
  }
}

extension RouteRecording: Codable {
  private enum CodingKeys: CodingKey { case version, calls }

  /// - Throws: `DecodingError` if the data is not a recording, or was written by a later release.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard (1...Self.version).contains(version) else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container,
        debugDescription: "expected a recording of version 1 to \(Self.version), found \(version)")
    }
    calls = try container.decode([Call].self, forKey: .calls)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.version, forKey: .version)
    try container.encode(calls, forKey: .calls)
  }
}

/// A single route is encoded as `route` and `response`, several that ran together as `routes` and `responses`.
extension RouteRecording.Call: Codable {
  enum CodingKeys: CodingKey { case route, routes, response, responses, failure }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    isBatch = container.contains(.routes)
    routes =
      isBatch
      ? try container.decode([DatabaseRoute].self, forKey: .routes)
      : [try container.decode(DatabaseRoute.self, forKey: .route)]
    if container.contains(.failure) {
      outcome = .failure(try container.decode(RouteRecording.Failure.self, forKey: .failure))
      return
    }
    let responses =
      isBatch
      ? try container.decode([DatabaseRoute.Response].self, forKey: .responses)
      : [try container.decode(DatabaseRoute.Response.self, forKey: .response)]
    guard responses.count == routes.count else {
      throw DecodingError.dataCorruptedError(
        forKey: .responses, in: container,
        debugDescription: "expected \(routes.count) responses, found \(responses.count)")
    }
    outcome = .responses(responses)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if isBatch {
      try container.encode(routes, forKey: .routes)
    } else {
      try container.encode(routes.first, forKey: .route)
    }
    switch outcome {
    case .failure(let failure): try container.encode(failure, forKey: .failure)
    case .responses(let responses) where isBatch:
      try container.encode(responses, forKey: .responses)
    case .responses(let responses):
      try container.encode(responses.first, forKey: .response)
    }
  }
}

/// An empty part of a response is omitted.
extension DatabaseRoute.Response: Codable {
  private enum CodingKeys: CodingKey { case columns, rows, affected }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      columns: try container.decodeIfPresent([String].self, forKey: .columns) ?? [],
      rows: try container.decodeIfPresent([[DataValue]].self, forKey: .rows) ?? [],
      affected: try container.decodeIfPresent(Int.self, forKey: .affected) ?? 0)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if !columns.isEmpty { try container.encode(columns, forKey: .columns) }
    if !rows.isEmpty { try container.encode(rows, forKey: .rows) }
    if affected != 0 { try container.encode(affected, forKey: .affected) }
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

extension RouteRecording.RecordedError: DataError {
  /// The kind of the original error was not recorded.
  public var kind: DataErrorKind { .other }
  public var message: String { description }
}
