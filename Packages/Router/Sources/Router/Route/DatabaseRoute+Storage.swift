extension DatabaseRoute {
  /// The parts of a route; how they are kept, and what each is, is told by the route itself.
  struct Parts: Hashable, Sendable, Codable {
    var id: String?
    var table: Table
    var method: Method
    var columns: [Column] = []
    var filter: Filter?
    var orders: [Order] = []
    var limit: Int?
    var offset: Int?
    var page: Page?
    var values: [Record] = []
    var conflict: Conflict?
    var returning: Returning = .representation
    var embeds: [Embed] = []
    var expectation: Expectation?
    var statement: CustomStatement?

    init(_ method: Method, _ table: Table, id: String? = nil) {
      self.method = method
      self.table = table
      self.id = id
    }
  }

  /// What copies of a route share: a route is passed on more often than it is changed.
  final class Storage: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  init(_ parts: Parts) { storage = Storage(parts) }

  mutating func change(_ change: (inout Parts) -> Void) {
    var parts = storage.parts
    change(&parts)
    storage = Storage(parts)
  }

  public static func == (a: DatabaseRoute, b: DatabaseRoute) -> Bool {
    a.storage === b.storage || a.storage.parts == b.storage.parts
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(storage.parts) }

  public init(from decoder: any Decoder) throws { self.init(try Parts(from: decoder)) }

  public func encode(to encoder: any Encoder) throws { try storage.parts.encode(to: encoder) }
}
