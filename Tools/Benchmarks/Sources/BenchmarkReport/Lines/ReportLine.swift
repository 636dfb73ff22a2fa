/// A line of the report: one workload by one measure, in C, with Holt and with one way of GRDB's.
///
/// Every measure is a cost, of which less is better, except for a share.
public struct ReportLine: Codable, Equatable, Sendable {
  public let workload: String
  /// What was measured, and, where there are several, the way of GRDB's that it is compared with.
  public let metric: String
  public let holt: Double?
  public let c: Double?
  public let grdb: Double?
  public let holtOverC: Double?
  public let holtOverGRDB: Double?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case workload, metric, holt, c, grdb
    case holtOverC = "holt_over_c"
    case holtOverGRDB = "holt_over_grdb"
  }

  /// A line whose ratios are computed. Who has no part in the workload is `nil`.
  public init(workload: String, metric: String, holt: Double?, c: Double?, grdb: Double?) {
    self.workload = workload
    self.metric = metric
    self.holt = Self.rounded(holt)
    self.c = Self.rounded(c)
    self.grdb = Self.rounded(grdb)
    holtOverC = Self.ratio(holt, c)
    holtOverGRDB = Self.ratio(holt, grdb)
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
