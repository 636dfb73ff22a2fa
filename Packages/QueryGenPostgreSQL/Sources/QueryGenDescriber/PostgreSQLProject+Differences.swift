public import QueryGenDriver
internal import SQLSyntax

extension PostgreSQLProject {
  /// A difference between the description that is stored and the description of a server.
  public struct Difference: Hashable, Sendable {
    /// The index of the query; `nil` if the difference is not one of a query.
    public var query: Int?
    public var message: String
  }

  /// Returns the differences of the stored description from the description of a server. Servers of other versions may describe a
  /// project in the same way.
  public func differences(from current: PostgreSQLDescription) -> [Difference] {
    let update = "run `querygen-postgresql generate`"
    guard var stored = description else {
      return [Difference(message: "the description is missing or can't be read; \(update)")]
    }
    stored.server = current.server
    guard stored != current else { return [] }
    var found: [Difference] = []
    if stored.format != current.format || stored.migrations != current.migrations
      || stored.tables != current.tables || stored.types != current.types
    {
      found.append(
        Difference(message: "the tables and types differ from those of the migrations; \(update)"))
    }
    for (index, query) in queries.enumerated()
    where stored.queries[query.key] != current.queries[query.key] {
      let name = query.query.name.text
      found.append(
        Difference(
          query: index,
          message:
            "the description of `\(name)` is missing or differs from that of the server; \(update)")
      )
    }
    for key in stored.queries.keys.sorted() where current.queries[key] == nil {
      found.append(
        Difference(message: "the description contains `\(key)`, which is not a query; \(update)"))
    }
    return found
  }
}
