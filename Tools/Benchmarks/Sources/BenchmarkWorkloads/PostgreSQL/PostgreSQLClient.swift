internal import CBaseline

/// PG1 to PG4: rows, lookups and `COPY` on a private PostgreSQL server, over a Unix socket, compared with libpq in C.
///
/// Measures the CPU time of the client. The server's processes are not part of it.
enum PostgreSQLClient {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    guard let server = BenchmarkServer.start() else { return [] }
    do {
      let rows = fixture.scale.rows
      _ = try baseline { baseline_pq_create(server.info, fixture.raw, rows, &$0) }
    } catch {
      print("PG1 to PG4 are skipped: the tables can't be created: \(error)")
      return []
    }
    return [
      rows(fixture, server), lookUps(fixture, server), concurrentLookUps(fixture, server),
      copies(fixture, server),
    ]
  }

  private static func rows(_ fixture: Fixture, _ server: BenchmarkServer) -> Workload {
    let codable = "Holt, Codable"
    return Workload(
      "PG1", "fetch \(fixture.scale.rows) rows of 10 columns from PostgreSQL",
      implementations: [
        BenchmarkImplementation("C") {
          try baseline { baseline_pq_fetch_all(server.info, 1, &$0) }
        },
        BenchmarkImplementation("C, one result") {
          try baseline { baseline_pq_fetch_all(server.info, 0, &$0) }
        },
        BenchmarkImplementation("Holt") { try await server.fetchAll(Item.self) { $0.weight } },
        BenchmarkImplementation(codable) {
          try await server.fetchAll(PortableItem.self) { $0.weight }
        },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "structs"),
        Comparison(.cpuMilliseconds, "Codable", holt: codable),
      ])
  }

  private static func lookUps(_ fixture: Fixture, _ server: BenchmarkServer) -> Workload {
    let keys = Keys(count: fixture.scale.lookups / 4, rows: fixture.scale.rows)
    let cpu = Measure.cpu("a lookup", keys.count), wall = Measure.wall("a lookup", keys.count)
    return Workload(
      "PG2", "\(keys.count) lookups by primary key on one connection to PostgreSQL",
      measures: [cpu, wall],
      implementations: [
        BenchmarkImplementation("C") {
          try baseline { baseline_pq_look_up(server.info, keys.rows, keys.count, &$0) }
        },
        BenchmarkImplementation("Holt") { try await server.lookUp(keys, connections: 1, tasks: 1) },
      ],
      comparisons: [Comparison(cpu), Comparison(wall)])
  }

  private static func concurrentLookUps(_ fixture: Fixture, _ server: BenchmarkServer) -> Workload {
    let keys = Keys(count: fixture.scale.lookups / 2, rows: fixture.scale.rows)
    let cpu = Measure.cpu("a lookup", keys.count), wall = Measure.wall("a lookup", keys.count)
    return Workload(
      "PG3", "\(keys.count) lookups by 64 tasks on 16 connections to PostgreSQL; C has one thread",
      measures: [wall, cpu],
      implementations: [
        BenchmarkImplementation("C") {
          try baseline { baseline_pq_look_up_concurrently(server.info, keys.rows, keys.count, &$0) }
        },
        BenchmarkImplementation("Holt") {
          try await server.lookUp(keys, connections: 16, tasks: 64)
        },
      ],
      comparisons: [Comparison(wall), Comparison(cpu)])
  }

  private static func copies(_ fixture: Fixture, _ server: BenchmarkServer) -> Workload {
    let count = fixture.scale.inserts
    let cpu = Measure.cpu("a row", count), wall = Measure.wall("a row", count)
    return Workload(
      "PG4", "insert \(count) rows by COPY into PostgreSQL", measures: [wall, cpu],
      implementations: [
        BenchmarkImplementation("C") {
          try baseline { baseline_pq_copy(server.info, fixture.raw, count, &$0) }
        },
        BenchmarkImplementation("Holt") { try await server.copy(fixture.items) },
      ],
      comparisons: [Comparison(wall), Comparison(cpu)])
  }
}
