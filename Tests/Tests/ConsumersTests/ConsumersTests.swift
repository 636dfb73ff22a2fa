import Foundation
import Testing

/// Runs the code that `make consumers` compiles as separate apps.
@Suite struct `The apps that use one product each` {
  struct App: CustomTestStringConvertible, Sendable {
    let product: String
    let run: @Sendable () async throws -> String

    init(_ product: String, _ run: @escaping @Sendable () async throws -> String) {
      self.product = product
      self.run = run
    }

    var testDescription: String { product }
  }

  static let apps = [
    App("Holt") { try await HoltConsumer.run() },
    App("ObserveCombine") { try await ObserveCombineConsumer.run() },
    App("Observe") { try await ObserveConsumer.run() },
    App("ObserveTesting") { try await ObserveTestingConsumer.run() },
    App("PostgreSQL") { try await PostgreSQLConsumer.run() },
    App("PostgreSQLTesting") { try await PostgreSQLTestingConsumer.run() },
    App("ProviderTesting") { try await ProviderTestingConsumer.run() },
    App("Providers") { try await ProvidersConsumer.run() },
    App("QueryGenCompiler") { try await QueryGenCompilerConsumer.run() },
    App("QueryGen") { try await QueryGenConsumer.run() },
    App("QueryGenDriver") { try await QueryGenDriverConsumer.run() },
    App("QueryGenPlugin") { try await QueryGenPluginConsumer.run() },
    App("QueryGenPostgreSQL") { try await QueryGenPostgreSQLConsumer.run() },
    App("Relations") { try await RelationsConsumer.run() },
    App("Router") { try await RouterConsumer.run() },
    App("RouterPostgreSQL") { try await RouterPostgreSQLConsumer.run() },
    App("HoltMacros") { try await HoltMacrosConsumer.run() },
    App("RouterTesting") { try await RouterTestingConsumer.run() },
    App("SPON") { try await SPONConsumer.run() },
    App("SQLiteCore") { try await SQLiteCoreConsumer.run() },
  ]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "Products")

  @Test(arguments: apps)
  func `print the output in their first line`(_ app: App) async throws {
    let file = Self.folder.appending(path: "\(app.product)Consumer.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    let printed = try await app.run()
    #expect(text.split(separator: "\n").first == "// Prints: \(printed)")
  }

  @Test func `are all tested`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(files.sorted() == Self.apps.map { "\($0.product)Consumer.swift" }.sorted())
  }
}
