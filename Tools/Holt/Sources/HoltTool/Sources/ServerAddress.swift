import Foundation
import PostgreSQL
import Primitives

/// A PostgreSQL database that is named on the command line with a URL.
struct ServerAddress {
  let configuration: PostgreSQLConfiguration

  /// Returns whether an argument is the URL of a PostgreSQL database.
  static func isURL(_ text: String) -> Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
  }

  /// - Throws: `ToolError` if the URL is invalid. The message does not contain the URL, which can have a password.
  init(url: String) throws {
    do throws(PostgreSQLError) {
      var configuration = try PostgreSQLConfiguration(url: url)
      configuration.applicationName = "holt"
      configuration.maximumConnectionCount = 1
      self.configuration = configuration
    } catch {
      throw ToolError("the URL of the PostgreSQL database is invalid: \(error.message)")
    }
  }

  /// The database without the password.
  var description: String {
    let hosts = configuration.hosts.map { host in
      let name = host.name.hasPrefix("/") ? "[\(host.name)]" : host.name
      return host.port == 5_432 ? name : "\(name):\(host.port)"
    }
    return
      "postgres://\(configuration.user)@\(hosts.joined(separator: ","))/\(configuration.database)"
  }

  /// Connects to the database.
  ///
  /// - Throws: `ToolError` with the reason if that fails.
  func connect() async throws -> PostgreSQLConnection {
    do {
      return try await PostgreSQLConnection.connect(configuration)
    } catch let error as PostgreSQLError {
      throw ToolError(
        error.message, file: description,
        hint: configuration.password == nil
          ? "the password is read from the URL, PGPASSWORD or ~/.pgpass" : nil)
    }
  }

  /// Passes a connection to `body`, and closes it.
  ///
  /// - Throws: `ToolError` if connecting fails; `ServerFailure` for an error of the server.
  func withConnection<Result: Sendable>(
    _ body: (PostgreSQLConnection) async throws -> Result
  ) async throws -> Result {
    let connection = try await connect()
    do {
      let result = try await body(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw ServerFailure.describing(error, in: description)
    }
  }

  /// Returns a text without the passwords of URLs.
  static func redacted(_ text: String, arguments: [String]) -> String {
    var text = text
    for argument in arguments {
      // `NAME=URL` is a source, too.
      let starts = ["postgres://", "postgresql://"].compactMap {
        argument.range(of: $0)?.lowerBound
      }
      guard let start = starts.min() else { continue }
      let url = String(argument[start...])
      let shown = (try? ServerAddress(url: url).description) ?? "postgres://…"
      text = text.replacing(url, with: shown)
    }
    return text
  }
}
