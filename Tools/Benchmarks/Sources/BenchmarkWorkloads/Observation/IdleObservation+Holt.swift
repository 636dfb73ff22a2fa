internal import Observe
internal import SQLiteCore

enum HoltIdleObservation {
  static func run(_ path: String, _ count: Int) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write { try $0.execute(SQL(unsafe: IdleObservation.createSQL)) }
    let all = await IdleObservation.bytes(
      count,
      observe: { team in
        database.observe(
          .rows(of: "player", where: .column("team", equals: .integer(Int64(team))))
        ) { try $0.value(Int.self, SQL(unsafe: IdleObservation.selectSQL), team) ?? 0 }
      },
      rest: { await database.waitUntilIdle(includingConsumers: true) })
    let task = await IdleObservation.task(count)
    return Work(
      checksum: nil, counts: [IdleObservation.withTask: all, IdleObservation.alone: all - task])
  }
}
