public import SQLiteCore

extension DatabaseRoute {
  /// The action for an existing row with the same key.
  public struct Conflict: Hashable, Sendable, Codable {
    /// The resolution of a conflict.
    public enum Resolution: String, Hashable, Sendable, Codable {
      /// The written columns replace the existing values; other columns are unchanged.
      case merge
      /// The existing row is unchanged, and is not returned.
      case ignore
    }

    /// The columns of the key; empty for the primary key. They must be the columns of a unique index.
    public var target: [Column]
    public var resolution: Resolution

    public init(target: [Column] = [], resolution: Resolution = .merge) {
      self.target = target
      self.resolution = resolution
    }
  }

  /// The end of the previous page: see `DatabaseRoute.page(after:size:)`.
  public struct Page: Hashable, Sendable, Codable {
    /// The last row, including at least the columns of the order and of the primary key; `nil` for the first page.
    public var after: Record?

    public init(after: Record? = nil) { self.after = after }
  }

  /// Rows of another table that are fetched with each row, as an object or an array in a column with the embed's name.
  ///
  /// The tables are related by a foreign key. The column is decoded as a struct, an optional struct, or an array of
  /// structs, whose columns are decoded like the columns of any row: BLOBs, numbers with all digits, JSON text. Decoded
  /// as a `String`, it is JSON, in which a BLOB is an array that contains its hexadecimal digits. Negative zero loses
  /// its sign.
  public struct Embed: Hashable, Sendable {
    /// The other table. It must be in the same database as the route's table, because foreign keys do not cross
    /// databases.
    public var table: Table
    /// The name of the result column.
    public var name: String
    /// The column of the foreign key, or the join table, if the tables are related in several ways.
    public var via: String?
    /// The columns of the other table; empty for all.
    public var columns: [Column] = []
    public var filter: Filter?
    public var orders: [Order] = []
    /// The maximum number of embedded rows for each row of the route.
    public var limit: Int?
    public var offset: Int?
    /// A Boolean value that indicates whether rows without embedded rows are excluded.
    public var isRequired = false
    /// Further embeds in these rows.
    ///
    /// Embeds nest up to ``maximumDepth`` levels. Embeds that are nested deeper are discarded, and running or encoding
    /// such a route throws an error.
    public var embeds: [Embed] {
      get { nested.embeds }
      set { nested = NestedEmbeds(newValue) }
    }
    private var nested = NestedEmbeds([])

    /// The maximum nesting depth.
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

    /// Embeds with their depth, which is bounded for the same reason as a filter's depth.
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

  /// A custom SQL statement with its values.
  public struct CustomStatement: Hashable, Sendable, Codable {
    /// The access of the statement: reading or writing. A statement that reads runs on a read-only connection.
    public enum Access: String, Hashable, Sendable, Codable { case read, write }

    /// The value of a parameter: a single value, or a list for `array_each(?)`.
    public enum Argument: Hashable, Sendable {
      case value(SQLiteValue)
      case list([SQLiteValue])
    }

    public let text: String
    public let arguments: [Argument]
    public var access: Access
    /// The tables that the statement reads; `nil` if they are not declared. An engine that does not report the tables
    /// of a statement observes only these: see ``DatabaseRoute/reading(_:)``.
    public var tables: [Table]?

    /// Creates a statement of SQL and its values.
    ///
    /// - Parameters:
    ///   - sql: A single statement.
    ///   - values: The values of the parameters in the SQL text.
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
