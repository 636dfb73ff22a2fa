/// The sizes of the workloads.
public struct Scale: Sendable {
  public var rows = 200_000
  public var inserts = 100_000
  public var lookups = 100_000
  /// The number of asynchronous reads and writes.
  public var reads = 10_000
  public var writes = 5_000
  /// The number of 1 KB strings.
  public var texts = 20_000
  /// The number of small structs to encode and decode.
  public var records = 50_000
  /// The size of the XML document.
  public var xmlBytes = 50_000_000
  /// The size of the SQL text.
  public var sqlBytes = 10_000_000
  /// The size of the JSON and CSV text.
  public var megabytes = 50
  /// The duration in seconds of concurrent reads and writes.
  public var together = 0.5
  public var observers = 1_000
  /// The maximum number of observed commits, and their maximum duration in seconds.
  public var commits = 1_000
  public var observing = 1.0
  /// The number of rows of a bulk insert into an unobserved table.
  public var unobservedRows = 10_000
  /// The number of idle observations.
  public var observations = 10_000

  /// The number of models that have ten related models each.
  public var owners = 10_000

  public init() {}

  /// Small sizes, with which all workloads run in less than two minutes.
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
