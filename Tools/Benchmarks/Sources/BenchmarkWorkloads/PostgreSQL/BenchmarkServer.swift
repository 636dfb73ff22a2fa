internal import PostgreSQL
internal import PostgreSQLTesting

/// A private PostgreSQL server, which ends with the last workload that uses it.
final class BenchmarkServer: Sendable {
  private let server: PostgreSQLTestServer

  private init(_ server: PostgreSQLTestServer) { self.server = server }

  /// Starts a server, or prints that its workloads are skipped and returns `nil`.
  static func start() -> BenchmarkServer? {
    guard PostgreSQLTestServer.isInstalled else {
      print("PG1 to PG4 are skipped: no PostgreSQL server is installed")
      return nil
    }
    do {
      return BenchmarkServer(try PostgreSQLTestServer(settings: ["shared_buffers": "128MB"]))
    } catch {
      print("PG1 to PG4 are skipped: \(error)")
      return nil
    }
  }

  var configuration: PostgreSQLConfiguration { server.configuration() }

  /// libpq's parameters for the same server.
  var info: String { "host=\(server.folder) port=\(server.port) user=postgres dbname=postgres" }
}
