internal import Primitives
internal import SQLiteCore

/// The value or response of an override.
enum OverrideValue: Sendable {
  case value(any Encodable & Sendable)
  case response(DatabaseRoute.Response)

  /// Returns the values as the requested type, and checks their number against the expectations of the route and the
  /// call.
  ///
  /// - Parameter decoder: Decodes rows as the replaced executor does.
  /// - Throws: ``RouterError`` with code ``RouterError/Code/mismatch`` if the values can't be converted.
  func values<Value: Decodable>(
    _ type: Value.Type, for route: DatabaseRoute, expecting expectation: DatabaseRoute.Expectation?,
    _ decoder: RowDecoder
  ) throws -> [Value] {
    let values = try allValues(type, for: route, decoder)
    try route.check(rows: values.count)
    try expectation?.check(values.count, of: route)
    return values
  }

  private func allValues<Value: Decodable>(
    _ type: Value.Type, for route: DatabaseRoute, _ decoder: RowDecoder
  ) throws -> [Value] {
    do {
      switch self {
      case .response(let response): return try response.values(type, of: route, with: decoder)
      case .value(let value):
        if let values = value as? [Value] { return values }
        if let value = value as? Value { return [value] }
        return try response().values(type, of: route)
      }
    } catch {
      throw mismatch("\(type)", error).of(route)
    }
  }

  /// Returns the number of written rows.
  func affected(of route: DatabaseRoute) throws(RouterError) -> Int {
    switch self {
    case .response(let response): return response.affected
    case .value(let value):
      let count = value.parts?.count ?? 1
      try route.check(rows: count)
      return route.isReadOnly ? 0 : count
    }
  }

  /// Returns the value as rows: it is converted to the row that would be written for it.
  func response(for route: DatabaseRoute) throws -> DatabaseRoute.Response {
    do {
      var response = try response()
      response.affected = try affected(of: route)
      try route.check(rows: response.rows.count)
      return response
    } catch let error as RouterError {
      throw error
    } catch {
      throw mismatch("row", error).of(route)
    }
  }

  /// - Parameter error: The conversion error. Only details without values are included.
  private func mismatch(_ wanted: String, _ error: any Error) -> RouterError {
    let reason =
      switch error {
      case let error as SQLiteError: error.message
      case DecodingError.keyNotFound(let key, _): "no value for \(key.stringValue)"
      case DecodingError.typeMismatch(let type, let context),
        DecodingError.valueNotFound(let type, let context):
        "\(context.codingPath.map(\.stringValue).joined(separator: ".")) is not of type \(type)"
      default: "\(type(of: error))"
      }
    return RouterError(
      code: .mismatch,
      message: "the override's value \(provided) can't be converted to \(wanted): \(reason)")
  }

  private func response() throws -> DatabaseRoute.Response {
    switch self {
    case .response(let response): return response
    case .value(let value):
      let records = try (value.parts ?? [value]).map(Self.record)
      var indices: [DatabaseRoute.Column: Int] = [:]
      var columns: [String] = []
      for field in records.lazy.flatMap(\.fields) where indices[field.column] == nil {
        indices[field.column] = columns.count
        columns.append(field.column.name)
      }
      let rows = records.map { record in
        var row = [DataValue](repeating: .null, count: columns.count)
        for field in record.fields {
          if let index = indices[field.column] { row[index] = DataValue(field.value) }
        }
        return row
      }
      return DatabaseRoute.Response(columns: columns, rows: rows, affected: rows.count)
    }
  }

  private static func record(_ value: any Encodable) throws -> DatabaseRoute.Record {
    // A number or a text is a row of one column.
    if let value = value as? any RouteValue {
      return DatabaseRoute.Record(fields: [.init(column: "value", value: value.routeValue)])
    }
    return try DatabaseRoute.Record(encoding: value)
  }

  private var provided: String {
    switch self {
    case .response(let response): "rows of \(response.columns.joined(separator: ", "))"
    case .value(let value): "\(type(of: value))"
    }
  }
}

extension DatabaseRoute.Reply {
  /// Waits if the reply is delayed. The reply must not be a sequence: see ``reply(to:)``.
  ///
  /// - Returns: `nil` if the call passes through.
  func answer() async throws -> OverrideValue? {
    switch content {
    case .value(let value): return .value(value)
    case .response(let response): return .response(response)
    case .failure(let error): throw error
    case .passThrough: return nil
    case .sequence: return try await reply(to: 0).answer()
    case .delayed(let duration, let reply):
      try await Task.sleep(for: duration)
      return try await reply.answer()
    }
  }
}

extension Encodable {
  /// The elements of an array or an optional; `nil` for other values.
  fileprivate var parts: [any Encodable]? {
    // Bytes are one value.
    if self is any RouteValue { return nil }
    if let values = self as? [any Encodable] { return values }
    guard let optional = self as? any OptionalValue else { return nil }
    return optional.elements
  }
}

/// An optional whose type is unknown.
private protocol OptionalValue {
  var elements: [any Encodable] { get }
}

extension Optional: OptionalValue where Wrapped: Encodable {
  fileprivate var elements: [any Encodable] { map { [$0] } ?? [] }
}
