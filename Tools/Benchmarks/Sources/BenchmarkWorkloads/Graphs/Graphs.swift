internal import Synchronization

/// M1 and M2: loads albums with their tracks and label; changes and saves albums.
enum Graphs {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    [loading(fixture), saving(fixture)]
  }

  private static func loading(_ fixture: Fixture) -> Workload {
    let path = fixture.file("albums")
    let file = GraphFile(path, albums: fixture.scale.owners)
    let straight = "Holt, straight-line"
    return Workload(
      "M1", "\(fixture.scale.owners) albums with 10 tracks each, and their labels",
      implementations: [
        BenchmarkImplementation(straight) { try HoltGraphs.straight(try file.made()) },
        BenchmarkImplementation("Holt") { try await HoltGraphs.values(try file.made()) },
        BenchmarkImplementation("Holt, Codable values") {
          try await HoltGraphs.codable(try file.made())
        },
        BenchmarkImplementation("Holt, models") { try await HoltGraphs.models(try file.made()) },
        BenchmarkImplementation("GRDB") { try GRDBGraphs.load(try file.made()) },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "load a graph", c: nil, grdb: "GRDB"),
        Comparison(
          .cpuMilliseconds, "load a graph of models", holt: "Holt, models", c: nil, grdb: "GRDB"),
        Comparison(
          metric: "CPU over that of the same by hand", .cpuMilliseconds,
          .multiple(of: straight), c: nil),
      ])
  }

  private static func saving(_ fixture: Fixture) -> Workload {
    let path = fixture.file("changed")
    let file = GraphFile(path, albums: fixture.scale.owners)
    let bare = "Holt, bare updates"
    return Workload(
      "M2", "\(fixture.scale.owners) changed models, saved in one transaction",
      implementations: [
        BenchmarkImplementation(bare) { try await HoltGraphs.update(try file.made()) },
        BenchmarkImplementation("Holt") { try await HoltGraphs.save(try file.made()) },
        BenchmarkImplementation("GRDB") { try GRDBGraphs.save(try file.made()) },
      ],
      comparisons: [
        Comparison(.cpuMilliseconds, "save models", c: nil, grdb: "GRDB"),
        Comparison(
          metric: "CPU over that of bare updates", .cpuMilliseconds, .multiple(of: bare), c: nil),
      ])
  }

  static let createSQL = """
    CREATE TABLE Label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE Album (id INTEGER PRIMARY KEY, name TEXT NOT NULL, year INTEGER NOT NULL,
      price REAL NOT NULL, label INTEGER REFERENCES Label (id) ON DELETE SET NULL ON UPDATE CASCADE);
    CREATE INDEX Album_label ON Album (label);
    CREATE TABLE Track (id INTEGER PRIMARY KEY, title TEXT NOT NULL, seconds REAL NOT NULL,
      album INTEGER REFERENCES Album (id) ON DELETE SET NULL ON UPDATE CASCADE);
    CREATE INDEX Track_album ON Track (album);
    """

  /// Returns the SQL that fills the three tables.
  static func fillSQL(_ albums: Int) -> String {
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO Label SELECT i, 'label number ' || i FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(albums))
    INSERT INTO Album SELECT i, 'the album number ' || i, 1950 + i % 75, i / 7.0, 1 + i % 500 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(10 * albums))
    INSERT INTO Track SELECT i, 'a track of number ' || i, i / 3.0, 1 + (i - 1) / 10 FROM n;
    """
  }
}

/// The database of the albums, created on first use.
final class GraphFile: Sendable {
  private let path: String
  private let albums: Int
  private let isMade = Mutex(false)

  init(_ path: String, albums: Int) {
    self.path = path
    self.albums = albums
  }

  func made() throws -> String {
    try isMade.withLock { isMade in
      if !isMade { try HoltGraphs.make(path, albums) }
      isMade = true
    }
    return path
  }
}
