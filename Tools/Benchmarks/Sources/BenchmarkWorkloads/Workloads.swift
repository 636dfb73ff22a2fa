/// All workloads, in the order in which they run. Those of a package to come are added here.
public enum Workloads {
  public static func all(_ fixture: Fixture) -> [Workload] {
    Fetch.workloads(fixture) + Insert.workloads(fixture) + LookUp.workloads(fixture)
      + Async.workloads(fixture) + Together.workloads(fixture) + Live.workloads(fixture)
      + Unwatched.workloads(fixture) + Latency.workloads(fixture) + AtRest.workloads(fixture)
      + Routes.workloads(fixture) + Texts.workloads(fixture) + Coding.workloads(fixture)
  }
}
