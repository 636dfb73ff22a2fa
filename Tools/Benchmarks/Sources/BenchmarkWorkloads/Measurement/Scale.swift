/// How much work the workloads are.
public struct Scale: Sendable {
  public var rows = 200_000
  public var inserts = 100_000
  public var lookups = 100_000
  /// Asynchronous reads, and writes.
  public var reads = 10_000
  public var writes = 5_000
  /// Texts of 1 KB.
  public var texts = 20_000
  /// Small structs that are coded.
  public var records = 50_000
  /// The size of a document of XML that is read.
  public var xmlBytes = 50_000_000
  /// Of a text of SQL.
  public var sqlBytes = 10_000_000
  /// Of a text in JSON or CSV.
  public var megabytes = 50
  /// Seconds that readers and a writer work at once.
  public var together = 0.5
  public var observers = 1_000
  /// The most commits that observers are woken by, and the most seconds that they may take.
  public var commits = 1_000
  public var observing = 1.0
  /// The rows of a bulk insert into a table that nobody observes.
  public var unobservedRows = 10_000
  /// Observations at rest.
  public var observations = 10_000

  /// Models with ten others each.
  public var owners = 10_000

  public init() {}

  /// For a first look: all workloads in less than two minutes.
  public static var quick: Scale {
    var scale = Scale()
    scale.rows = 50_000
    scale.inserts = 25_000
    scale.lookups = 10_000
    scale.reads = 4_000
    scale.writes = 1_000
    scale.texts = 5_000
    scale.records = 12_500
    scale.xmlBytes = 10_000_000
    scale.megabytes = 5
    scale.sqlBytes = 2_000_000
    scale.together = 0.2
    scale.commits = 200
    scale.observing = 0.3
    scale.observations = 2_000
    scale.owners = 2_000
    return scale
  }
}
