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

/// An error of a PostgreSQL server, with the database and the position in the SQL of the command line.
struct ServerFailure: Error {
  var error: PostgreSQLError
  /// The database, without the password.
  var database: String
  /// The SQL that the user wrote, and the position in it.
  var sql: (text: String, offset: Int)?

  /// Returns an error with its database, if it is one of PostgreSQL.
  static func describing(_ error: any Error, in database: String) -> any Error {
    (error as? PostgreSQLError).map { ServerFailure(error: $0, database: database) } ?? error
  }

  var hint: String? { error.hint }

  var message: String {
    let names = [error.table, error.column].compactMap(\.self).joined(separator: ".")
    let place = [names, error.constraint ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    let isNamed = error.message.contains("\"") || place.isEmpty
    return error.message + (isNamed ? "" : " (\(place))")
  }
}

/// A value that is passed to functions of the PostgreSQL client, which run it one after another.
///
/// `@unchecked Sendable`: the task that created the value suspends while another thread uses it.
final class Borrowed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
