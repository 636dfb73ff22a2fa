extension DatabaseRoute {
  /// The name of a table or a view, in the database `main` unless another one is specified.
  ///
  /// ```swift
  /// extension DatabaseRoute.Table {
  ///   static let todos: Self = "todos"
  ///   static let oldTodos = Self("todos", schema: "archive")
  /// }
  /// ```
  ///
  /// Names are compared as in SQLite: ASCII letters are equal in either case. A name is used literally, including dots.
  /// An unqualified name refers to `main`, even if `temp` has a table of that name.
  public struct Table: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name, unquoted.
    public let name: String
    /// The database of the table: `temp`, or the name of an attached database. `nil` for `main`.
    public let schema: String?

    public init(_ name: some StringProtocol) {
      self.name = String(name)
      schema = nil
    }

    /// Creates the name of a table in another database of the connection: in `temp`, or in an attached one.
    ///
    /// The readers of a `Database` are separate connections: attach databases in `Configuration.prepare`, so that each
    /// reader has them.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - schema: The name of the database. `main` is equivalent to none.
    public init(_ name: some StringProtocol, schema: some StringProtocol) {
      self.name = String(name)
      let schema = String(schema)
      self.schema = schema.isSameName(as: "main") ? nil : schema
    }

    public init(stringLiteral value: String) { self.init(value) }

    private enum CodingKeys: CodingKey { case name, schema }

    public init(from decoder: any Decoder) throws {
      if let name = try? decoder.singleValueContainer().decode(String.self) {
        self.init(name)
      } else {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
          try container.decode(String.self, forKey: .name),
          schema: try container.decode(String.self, forKey: .schema))
      }
    }

    /// Encodes a table of `main` as its name only.
    public func encode(to encoder: any Encoder) throws {
      guard let schema else {
        var container = encoder.singleValueContainer()
        return try container.encode(name)
      }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(schema, forKey: .schema)
    }

    public static func == (a: Self, b: Self) -> Bool {
      guard a.name.isSameName(as: b.name) else { return false }
      return switch (a.schema, b.schema) {
      case (nil, nil): true
      case (let a?, let b?): a.isSameName(as: b)
      default: false
      }
    }

    public func hash(into hasher: inout Hasher) {
      name.hashName(into: &hasher)
      schema?.hashName(into: &hasher)
    }

    public var description: String { schema.map { "\($0).\(name)" } ?? name }
  }

  /// The name of a column, or of a part of the JSON in it.
  ///
  /// ```swift
  /// extension DatabaseRoute.Column { static let completedOn: Self = "completedOn" }
  /// let city = DatabaseRoute.Column("profile").at("addresses", 0, "city")
  /// ```
  public struct Column: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name, unquoted.
    public let name: String
    /// The path into the column's JSON; empty for the column itself.
    public private(set) var path: [PathStep] = []

    public init(_ name: some StringProtocol) { self.name = String(name) }
    public init(stringLiteral value: String) { name = value }

    /// The column that identifies rows.
    ///
    /// It is the column `id` or, in a table without such a column, the column of the single-column primary key.
    public static let id: Column = "id"

    /// Returns a part of the column's JSON: by keys of objects and by indices of arrays.
    ///
    /// A number or a text is read as such, `true` and `false` as 1 and 0, an object or an array as JSON text, and a
    /// missing part as NULL.
    public func at(_ steps: PathStep...) -> Column {
      var column = self
      column.path += steps
      return column
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.name.isSameName(as: b.name) && a.path == b.path
    }

    public func hash(into hasher: inout Hasher) {
      name.hashName(into: &hasher)
      if !path.isEmpty { hasher.combine(path) }
    }

    public var description: String {
      path.isEmpty ? name : "\(name).\(path.map(\.description).joined(separator: "."))"
    }
  }

  /// A step of a path into JSON.
  public enum PathStep: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, CustomStringConvertible
  {
    case key(String)
    /// An array index, counted from 0.
    case index(Int)

    /// Keys are equal if their bytes are, as in SQLite.
    public static func == (a: Self, b: Self) -> Bool {
      switch (a, b) {
      case (.key(let a), .key(let b)): a.hasSameBytes(as: b)
      case (.index(let a), .index(let b)): a == b
      default: false
      }
    }

    public init(stringLiteral value: String) { self = .key(value) }
    public init(integerLiteral value: Int) { self = .index(value) }

    public var description: String {
      switch self {
      case .key(let key): key
      case .index(let index): String(index)
      }
    }
  }
}
