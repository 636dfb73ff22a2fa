public import SQLiteCore

extension DatabaseRoute {
  /// What becomes of a row whose key is there already.
  public struct Conflict: Hashable, Sendable, Codable {
    public enum Resolution: String, Hashable, Sendable, Codable {
      /// What is written takes the place of what is there, column by column; others stay.
      case merge
      /// The row that is there stays, and is not given back.
      case ignore
    }

    /// The columns of the key; none for the primary key. They must be those of a unique index.
    public var target: [Column]
    public var resolution: Resolution

    public init(target: [Column] = [], resolution: Resolution = .merge) {
      self.target = target
      self.resolution = resolution
    }
  }

  /// Where the last page has ended: see `DatabaseRoute.page(after:size:)`.
  public struct Page: Hashable, Sendable, Codable {
    /// The last row, with the columns of the order and of the primary key at least; `nil` for the first page.
    public var after: Record?

    public init(after: Record? = nil) { self.after = after }
  }

  /// Rows of another table that come with each row: as an object or as an array, in one column of its name.
  ///
  /// A foreign key says which. Decoded, it is a property that is a struct, an optional one, or an array, and its
  /// columns are read as those of any row: BLOBs, numbers to the last digit, texts of JSON as such. Read as a `String`,
  /// it is JSON, in which a BLOB is an array of its hexadecimal digits. Of a zero the sign is lost.
  public struct Embed: Hashable, Sendable {
    /// The other table. It is of the same database as the route's, for a foreign key leads to no other.
    public var table: Table
    /// The column that it becomes.
    public var name: String
    /// The column of the foreign key, or the table between, where there are several ways.
    public var via: String?
    /// The columns of the other table; all where there are none.
    public var columns: [Column] = []
    public var filter: Filter?
    public var orders: [Order] = []
    /// How many rows at most, for each row of the route.
    public var limit: Int?
    public var offset: Int?
    /// Whether a row for which nothing is found is left out.
    public var isRequired = false
    /// Rows of further tables that come with each of these.
    ///
    /// Embeds nest up to ``maximumDepth`` levels. Those that are nested deeper are discarded, and
    /// running or encoding a route with such an embed throws.
    public var embeds: [Embed] {
      get { nested.embeds }
      set { nested = NestedEmbeds(newValue) }
    }
    private var nested = NestedEmbeds([])

    /// The deepest nesting that an embed can have.
    public static let maximumDepth = 20

    public init(
      _ table: Table, as name: String? = nil, via: String? = nil, columns: [Column] = [],
      filteredBy filter: Filter? = nil, orderedBy orders: [Order] = [], limit: Int? = nil,
      offset: Int? = nil, isRequired: Bool = false, embedding embeds: [Embed] = []
    ) {
      self.table = table
      self.name = name ?? table.name
      self.via = via
      self.columns = columns
      self.filter = filter
      self.orders = orders
      self.limit = limit
      self.offset = offset
      self.isRequired = isRequired
      nested = NestedEmbeds(embeds)
    }

    /// The number of levels of embeds within this one.
    var depth: Int { nested.depth }

    /// Embeds with their depth, which is bounded for the reason that that of a ``Filter`` is.
    private struct NestedEmbeds: Hashable, Sendable {
      let embeds: [Embed]
      let depth: Int

      init(_ embeds: [Embed]) {
        let depth = embeds.reduce(0) { max($0, $1.depth + 1) }
        self.depth = min(depth, Embed.maximumDepth + 1)
        self.embeds = depth > Embed.maximumDepth ? [] : embeds
      }
    }
  }

  /// SQL of your own, with its values, as a value.
  public struct CustomStatement: Hashable, Sendable, Codable {
    /// Whether it writes: a statement that reads runs where nothing can be written.
    public enum Access: String, Hashable, Sendable, Codable { case read, write }

    /// What is bound to one parameter: one value, or a list for `holt_array(?)`.
    public enum Argument: Hashable, Sendable {
      case value(SQLiteValue)
      case list([SQLiteValue])
    }

    public let text: String
    public let arguments: [Argument]
    public var access: Access

    /// Creates a statement of SQL and its values.
    ///
    /// - Parameters:
    ///   - sql: One statement.
    ///   - values: The values of the parameters that the text has of its own.
    ///   - access: Whether the statement reads or writes.
    /// - Throws: `SQLiteError` if a value can't be bound, or is interpolated inside quotes or a comment.
    public init(_ sql: SQL, values: [any SQLiteBindable] = [], access: Access) throws {
      let (text, values) = try sql.resolved(with: values)
      self.text = text
      arguments = try values.map(Self.argument)
      self.access = access
    }

    private static func argument(_ value: any SQLiteBindable) throws -> Argument {
      if let list = value as? any ListOfValues { return .list(try list.values()) }
      return .value(try value.sqliteValue)
    }
  }
}

/// A list whose element type is unknown.
private protocol ListOfValues {
  func values() throws -> [SQLiteValue]
}

extension SQLiteArray: ListOfValues {
  fileprivate func values() throws -> [SQLiteValue] { try elements.map { try $0.sqliteValue } }
}

extension DatabaseRoute.CustomStatement.Argument: Codable {
  private enum CodingKeys: CodingKey { case value, list }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.list) {
      self = .list(try container.decode([CodedValue].self, forKey: .list).map(\.value))
    } else {
      self = .value(try container.decode(CodedValue.self, forKey: .value).value)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .value(let value): try container.encode(CodedValue(value), forKey: .value)
    case .list(let values): try container.encode(values.map(CodedValue.init), forKey: .list)
    }
  }
}
