import Primitives
import QueryGen

extension Questions {
  func queryZones() async throws {
    try await sharedZones()
    try await nearestZones()
    try await southernZones()
    try await northernmost()
  }

  private func sharedZones() async throws {
    report.question("Which zones are used in the most countries?", "Zones.sql: sharedZones")
    var table = TextTable([.left("Zone"), .right("Countries"), .left("Flags", limit: 62)])
    for row in try await db.sharedZones.execute(8) {
      table.add([row.name, "\(row.countries)", row.flags])
    }
    report.table(table)
  }

  private func nearestZones() async throws {
    report.question("Which zones are nearest to 47.4° N, 8.5° E?", "Zones.sql: nearestZones")
    var table = TextTable([
      .left("Zone"), .right("Latitude"), .right("Longitude"), .left("Country"),
    ])
    let rows = try await db.nearestZones.execute(
      latitude: 47.4, longitude: 8.5, narrowing: 0.68, limit: 6)
    for row in rows {
      table.add([
        row.name, row.latitude.degrees("N", "S"), row.longitude.degrees("E", "W"), row.country,
      ])
    }
    report.table(table)
  }

  private func southernZones() async throws {
    report.question(
      "Which zones are south of 40° S, but not in Antarctica?", "Zones.sql: zonesMatching")
    var table = TextTable([.left("Zone"), .right("Latitude"), .right("Longitude")])
    let zones = try await db.zonesMatching.execute(
      \.latitude < -40 && !.isIn(\.region, ["Antarctica"]))
    for zone in zones {
      table.add([
        zone.name, zone.latitude.degrees("N", "S"), zone.longitude.degrees("E", "W"),
      ])
    }
    report.table(table)
  }

  private func northernmost() async throws {
    report.question("Which city is the northernmost of its region?", "Zones.sql: northernmost")
    var table = TextTable([
      .left("Region"), .right("Zones"), .left("Northernmost"), .right("Latitude"),
    ])
    for row in try await db.northernmost.execute() {
      table.add([row.region, "\(row.zones)", row.name, row.latitude.degrees("N", "S")])
    }
    report.table(table)
  }
}
