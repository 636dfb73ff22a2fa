public import Foundation

/// The identifier of a request.
public enum RequestID: Hashable, Sendable, Codable {
  case integer(Int)
  case string(String)

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int.self) {
      self = .integer(number)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    case .string(let text): try container.encode(text)
    }
  }
}

/// An error in response to a request.
public struct ResponseError: Error, Hashable, Sendable, Codable {
  /// An error code of JSON-RPC or of the protocol.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let parseError = Code(rawValue: -32700)
    public static let invalidRequest = Code(rawValue: -32600)
    public static let methodNotFound = Code(rawValue: -32601)
    public static let invalidParams = Code(rawValue: -32602)
    public static let internalError = Code(rawValue: -32603)
    public static let serverNotInitialized = Code(rawValue: -32002)
    public static let requestFailed = Code(rawValue: -32803)
    public static let contentModified = Code(rawValue: -32801)
    public static let requestCancelled = Code(rawValue: -32800)
  }

  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// A message from the client.
public enum IncomingMessage: Sendable {
  case request(RequestID, method: String, MessageBody)
  case notification(method: String, MessageBody)
  /// The response to a request of the server.
  case response(RequestID, MessageBody)
  /// Bytes that are not a message, and the error to respond with.
  case malformed(RequestID?, ResponseError)

  private struct Envelope: Decodable {
    var jsonrpc: String?
    var id: RequestID?
    var method: String?
  }

  /// Decodes a message, except for its parameters.
  public init(_ body: [UInt8]) {
    let data = Data(body)
    guard body.first(where: { ![32, 9, 10, 13].contains($0) }) != UInt8(ascii: "[") else {
      self = .malformed(nil, ResponseError(.invalidRequest, "batches are not supported"))
      return
    }
    do {
      let envelope = try JSONDecoder().decode(Envelope.self, from: data)
      guard envelope.jsonrpc == "2.0" else {
        self = .malformed(
          envelope.id, ResponseError(.invalidRequest, "\"jsonrpc\" must be \"2.0\""))
        return
      }
      let body = MessageBody(data: data)
      switch (envelope.id, envelope.method) {
      case (let id?, let method?): self = .request(id, method: method, body)
      case (nil, let method?): self = .notification(method: method, body)
      case (let id?, nil): self = .response(id, body)
      case (nil, nil):
        self = .malformed(nil, ResponseError(.invalidRequest, "the message has no method"))
      }
    } catch DecodingError.dataCorrupted {
      self = .malformed(nil, ResponseError(.parseError, "the message is not valid JSON"))
    } catch {
      self = .malformed(nil, ResponseError(.invalidRequest, "the message is not a JSON-RPC object"))
    }
  }
}

/// The bytes of a message, whose parameters are decoded when the method is known.
public struct MessageBody: Sendable {
  public let data: Data

  private struct Parameters<Content: Decodable>: Decodable { var params: Content }

  /// Decodes the parameters.
  ///
  /// - Throws: An error with the code ``ResponseError/Code/invalidParams`` that names the member.
  public func parameters<Content: Decodable>(
    _ type: Content.Type = Content.self
  ) throws(ResponseError) -> Content {
    do {
      return try JSONDecoder().decode(Parameters<Content>.self, from: data).params
    } catch let error as DecodingError {
      throw ResponseError(.invalidParams, "invalid parameters: \(Self.description(of: error))")
    } catch {
      throw ResponseError(.invalidParams, "invalid parameters")
    }
  }

  /// Indicates whether the message is a response with an error.
  public var isFailure: Bool {
    struct Failure: Decodable { var error: ResponseError? }
    return (try? JSONDecoder().decode(Failure.self, from: data))?.error != nil
  }

  private static func description(of error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(path(context)).\(key.stringValue) is missing"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(path(context)) has another type"
    case .dataCorrupted(let context): return "\(path(context)) is malformed"
    @unknown default: return "a member is malformed"
    }
  }
}

/// Encoders of messages to the client.
public enum OutgoingMessage {
  private struct Response<Content: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID
    var result: Content
  }

  private struct Failure: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID?
    var error: ResponseError

    enum CodingKeys: CodingKey { case jsonrpc, id, error }

    // The identifier of a malformed request is null rather than missing.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(jsonrpc, forKey: .jsonrpc)
      try container.encode(id, forKey: .id)
      try container.encode(error, forKey: .error)
    }
  }

  private struct Call<Content: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID?
    var method: String
    var params: Content
  }

  public static func response(_ id: RequestID, _ result: some Encodable) -> Data {
    encode(Response(id: id, result: result))
  }

  public static func failure(_ id: RequestID?, _ error: ResponseError) -> Data {
    encode(Failure(id: id, error: error))
  }

  public static func notification(_ method: String, _ parameters: some Encodable) -> Data {
    encode(Call(id: nil, method: method, params: parameters))
  }

  public static func request(
    _ id: RequestID, _ method: String, _ parameters: some Encodable
  ) -> Data {
    encode(Call(id: id, method: method, params: parameters))
  }

  private static func encode(_ value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    // Only a number that is not finite can't be encoded, and no message contains one.
    return (try? encoder.encode(value)) ?? Data()
  }
}
