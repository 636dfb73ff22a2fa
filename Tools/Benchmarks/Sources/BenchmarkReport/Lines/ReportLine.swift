/// A line of the report: one measure of a workload, for C, Holt and one implementation of a peer.
///
/// Every measure is a cost, so less is better, except for a share.
public struct ReportLine: Equatable, Sendable {
  /// The libraries that Holt is compared with.
  public enum Peer: String, CaseIterable, Sendable {
    case grdb, foundation

    var title: String {
      switch self {
      case .grdb: "GRDB"
      case .foundation: "Foundation"
      }
    }
  }

  public let workload: String
  /// The measure and, if the peer has several implementations, the compared one.
  public let metric: String
  public let peer: Peer
  public let holt: Double?
  public let c: Double?
  /// The peer's measurement.
  public let other: Double?
  public let holtOverC: Double?
  public let holtOverPeer: Double?

  /// Creates a line and computes its ratios. A missing implementation is `nil`.
  public init(workload: String, metric: String, holt: Double?, c: Double?, grdb: Double?) {
    self.init(workload: workload, metric: metric, holt: holt, c: c, .grdb, grdb)
  }

  /// Creates a line of a workload that is compared with Foundation.
  public init(workload: String, metric: String, holt: Double?, foundation: Double?) {
    self.init(workload: workload, metric: metric, holt: holt, c: nil, .foundation, foundation)
  }

  /// - Parameter other: The measurement of `peer`.
  public init(
    workload: String, metric: String, holt: Double?, c: Double?, _ peer: Peer, _ other: Double?
  ) {
    self.workload = workload
    self.metric = metric
    self.peer = peer
    self.holt = Self.rounded(holt)
    self.c = Self.rounded(c)
    self.other = Self.rounded(other)
    holtOverC = Self.ratio(holt, c)
    holtOverPeer = Self.ratio(holt, other)
  }

  /// A Boolean value that indicates whether the line is a share of a cost instead of a cost.
  public var isShare: Bool { metric.hasPrefix("share of ") }

  private static func ratio(_ value: Double?, _ other: Double?) -> Double? {
    guard let value, let other else { return nil }
    return rounded(value / other)
  }

  /// Rounds to four decimals, which exceeds the precision of the measurements; `nil` for NaN and
  /// infinity.
  private static func rounded(_ value: Double?) -> Double? {
    guard let value, value.isFinite else { return nil }
    // Converts a negative zero to zero.
    return (value * 10_000).rounded() / 10_000 + 0
  }
}
