/// A message of the server that is not an error, such as one of `RAISE NOTICE`.
public struct PostgreSQLNotice: Hashable, Sendable {
  /// The severity: `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`.
  public let severity: String
  public let code: PostgreSQLError.Code
  /// The server's words, which can contain values.
  public let message: String
}

/// A message that a client sent with `NOTIFY`.
public struct PostgreSQLNotification: Hashable, Sendable {
  public let channel: String
  /// The text that was sent; empty if there is none.
  public let payload: String
  /// The identifier of the server process that sent it.
  public let processID: Int32
}
