/// All workloads, in the order in which they run.
public enum Workloads {
  /// Returns the workloads. The data of each group is created when the iteration reaches it.
  public static func all(_ fixture: Fixture) -> some Sequence<Workload> {
    let groups: [(Fixture) -> [Workload]] = [
      Fetch.workloads, Insert.workloads, KeyLookup.workloads, Async.workloads,
      ConcurrentReads.workloads,
      ObservationThroughput.workloads, UnobservedTable.workloads, Latency.workloads,
      IdleObservation.workloads, Routes.workloads,
      Texts.workloads, Coding.workloads, Formats.workloads,
      JSONOpening.workloads, XMLReading.workloads, Files.workloads, Objects.workloads,
      Graphs.workloads, FullTextWrites.workloads, Edits.workloads, CodableRows.workloads,
      Queries.workloads, SQLReading.workloads, PostgreSQLClient.workloads,
    ]
    return groups.lazy.flatMap { $0(fixture) }
  }
}
