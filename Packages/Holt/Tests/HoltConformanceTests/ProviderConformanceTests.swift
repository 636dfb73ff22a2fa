import Foundation
import Holt
import RouterTesting
import Testing

/// Router's conformance rules, with a provider as the database.
@Suite struct `Routes on a provider` {
  enum Subject: String, CaseIterable, Sendable {
    case sqlite, json, spon

    func make() -> any DataProvider {
      switch self {
      case .sqlite: SQLiteProvider()
      case .json: JSONProvider()
      case .spon: SPONProvider()
      }
    }
  }

  @Test(arguments: Subject.allCases)
  func `follow all of Router's rules`(_ subject: Subject) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "holt-routes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "tables.\(subject.rawValue)").path(percentEncoded: false)
    let provider = subject.make()
    try await provider.openSource(atPath: path)
    try await provider.write { try $0.execute(SQL(unsafe: RouteExecutorConformance.schema)) }
    var executor = ProviderRouteExecutor(provider)
    try await RouteExecutorConformance.restore(executor)
    executor.limits.maximumRows = RouteExecutorConformance.maximumRows
    executor.limits.maximumAffected = RouteExecutorConformance.maximumAffected

    let copies = RouteExecutorConformance.tables.map {
      (name: SQLName.quoted($0.name), copy: SQLName.quoted("copy of \($0.name)"))
    }
    try await provider.write { connection in
      for table in copies {
        try connection.run(
          "CREATE TEMP TABLE \(unsafe: table.copy) AS SELECT * FROM main.\(unsafe: table.name)")
      }
    }
    var skipped: [RouteExecutorConformance.Capabilities] = []
    for rule in RouteExecutorConformance.cases {
      do {
        let outcome = try await rule.run(
          on: executor, supporting: .all.subtracting(.fullText))
        if case .skipped(let missing) = outcome { skipped.append(missing) }
      } catch {
        Issue.record("\(subject): \(error)")
      }
      guard rule.writes else { continue }
      try await provider.write { connection in
        for table in copies.reversed() {
          try connection.run("DELETE FROM main.\(unsafe: table.name)")
        }
        for table in copies {
          try connection.run(
            "INSERT INTO main.\(unsafe: table.name) SELECT * FROM temp.\(unsafe: table.copy)")
        }
      }
    }
    #expect(skipped.allSatisfy { $0 == .fullText })
    #expect(skipped.count < 20)

    // The file contains the rows that the routes wrote.
    try await provider.closeSource()
    let again = subject.make()
    try await again.openSource(atPath: path, readOnly: true)
    let read = ProviderRouteExecutor(again)
    #expect(try await read.rowCount("item") == 7)
    #expect(try await read.rowCount("player") == 4)
    try await again.closeSource()
  }
}

extension ProviderRouteExecutor {
  fileprivate func rowCount(_ table: DatabaseRoute.Table) async throws -> Int {
    try await run(.fetch(from: table)).rows.count
  }
}
