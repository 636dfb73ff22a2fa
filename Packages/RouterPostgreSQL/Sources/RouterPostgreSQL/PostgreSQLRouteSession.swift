/// The role and the settings that routes have on the server, for row-level security.
///
/// ```swift
/// var routes = executor
/// routes.session = PostgreSQLRouteSession(role: "member", claims: #"{"sub": "42"}"#)
/// let todos = try await routes.values(Todo.self, for: .fetch(from: "todos"))
/// ```
///
/// Each route runs in a transaction in which the role and the settings are set, in the same exchange with the server if the
/// route is one statement. They do not remain on the connection. A policy reads them like this, since a setting without
/// a value is an empty string on a connection that has had it before:
///
/// ```sql
/// CREATE POLICY own ON todos TO member USING (
///   owner = (nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub')::bigint);
/// ```
///
/// Tables are read from the catalog by the connection's own role. It must be a member of the session's role.
public struct PostgreSQLRouteSession: Hashable, Sendable {
  /// The role whose privileges and policies apply; `nil` for the role of the connection.
  public var role: String?

  /// The claims of the user as a JSON object, which are the setting `request.jwt.claims`, as in PostgREST.
  public var claims: String?

  /// Settings, by their names, such as `app.user` or `statement_timeout`.
  public var settings: [String: String]

  public init(role: String? = nil, claims: String? = nil, settings: [String: String] = [:]) {
    self.role = role
    self.claims = claims
    self.settings = settings
  }

  /// All settings.
  var all: [String: String] {
    var all = settings
    if let role { all["role"] = role }
    if let claims { all["request.jwt.claims"] = claims }
    return all
  }
}
