/// A line of the report: one workload by one measure, in C, with Holt and with one way of a peer's.
///
/// Every measure is a cost, of which less is better, except for a share.
public struct ReportLine: Equatable, Sendable {
  /// Who Holt is held beside, other than C.
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
  /// What was measured, and, where there are several, the way of the peer's that it is compared with.
  public let metric: String
  public let peer: Peer
  public let holt: Double?
  public let c: Double?
  /// The peer's number.
  public let other: Double?
  public let holtOverC: Double?
  public let holtOverPeer: Double?

  /// A line whose ratios are computed. Who has no part in the workload is `nil`.
  public init(workload: String, metric: String, holt: Double?, c: Double?, grdb: Double?) {
    self.init(workload: workload, metric: metric, holt: holt, c: c, .grdb, grdb)
  }

  /// A line of a workload that is held beside Foundation.
  public init(workload: String, metric: String, holt: Double?, foundation: Double?) {
    self.init(workload: workload, metric: metric, holt: holt, c: nil, .foundation, foundation)
  }

  /// - Parameter other: The number of `peer`.
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

  /// Whether it tells what part of a cost something is, and no cost.
  public var isShare: Bool { metric.hasPrefix("share of ") }

  private static func ratio(_ value: Double?, _ other: Double?) -> Double? {
    guard let value, let other else { return nil }
    return rounded(value / other)
  }

  /// Four decimals, which is more than measurements have; `nil` for what is no number.
  private static func rounded(_ value: Double?) -> Double? {
    guard let value, value.isFinite else { return nil }
    // A zero without a sign, whatever side it was rounded from.
    return (value * 10_000).rounded() / 10_000 + 0
  }
}
