internal import Observe
internal import SQLiteCore

enum HoltAtRest {
  static func run(_ path: String, _ count: Int) async throws -> Work {
    let database = try Database(path: path)
    defer { database.close() }
    try await database.write { try $0.execute(SQL(unsafe: AtRest.createSQL)) }
    let all = await AtRest.bytes(
      count,
      observe: { team in
        database.observe(
          .rows(of: "player", where: .column("team", equals: .integer(Int64(team))))
        ) { try $0.value(Int.self, SQL(unsafe: AtRest.selectSQL), team) ?? 0 }
      },
      rest: { await database.waitUntilIdle(includingConsumers: true) })
    let task = await AtRest.task(count)
    return Work(checksum: nil, counts: [AtRest.withTask: all, AtRest.alone: all - task])
  }
}
