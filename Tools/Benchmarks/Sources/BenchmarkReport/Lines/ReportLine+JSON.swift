internal import Primitives

extension ReportLine {
  /// The lines as a JSON array with an object per line, whose members are in a fixed order. `grdb`
  /// and `holt_over_grdb` are replaced by the peer's name in lines with another peer.
  public static func json(_ lines: [ReportLine]) -> String {
    guard !lines.isEmpty else { return "[]\n" }
    return "[\n" + lines.map { "  " + $0.json }.joined(separator: ",\n") + "\n]\n"
  }

  private var json: String {
    let values: [(key: Key, text: String)] = [
      (.workload, JSONText.quoted(workload)), (.metric, JSONText.quoted(metric)),
      (.holt, Self.number(holt)), (.c, Self.number(c)), (.peer(peer), Self.number(other)),
      (.holtOverC, Self.number(holtOverC)), (.holtOver(peer), Self.number(holtOverPeer)),
    ]
    return "{" + values.map { "\"\($0.key.name)\": \($0.text)" }.joined(separator: ", ") + "}"
  }

  private static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "null" }
}

extension ReportLine: Decodable {
  /// The keys of a line's object. Two of them contain the peer's name.
  private struct Key: CodingKey {
    static let workload = Key("workload"), metric = Key("metric"), holt = Key("holt")
    static let c = Key("c"), holtOverC = Key("holt_over_c")
    static func peer(_ peer: Peer) -> Key { Key(peer.rawValue) }
    static func holtOver(_ peer: Peer) -> Key { Key("holt_over_\(peer.rawValue)") }

    let name: String

    init(_ name: String) { self.name = name }

    var stringValue: String { name }
    var intValue: Int? { nil }
    init?(stringValue: String) { name = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    workload = try values.decode(String.self, forKey: .workload)
    metric = try values.decode(String.self, forKey: .metric)
    peer = Peer.allCases.first { values.contains(.peer($0)) } ?? .grdb
    holt = try values.decodeIfPresent(Double.self, forKey: .holt)
    c = try values.decodeIfPresent(Double.self, forKey: .c)
    other = try values.decodeIfPresent(Double.self, forKey: .peer(peer))
    holtOverC = try values.decodeIfPresent(Double.self, forKey: .holtOverC)
    holtOverPeer = try values.decodeIfPresent(Double.self, forKey: .holtOver(peer))
  }
}
