extension DatabaseRoute {
  /// The name of a table or a view, in the database `main` unless another one is said.
  ///
  /// ```swift
  /// extension DatabaseRoute.Table {
  ///   static let todos: Self = "todos"
  ///   static let oldTodos = Self("todos", schema: "archive")
  /// }
  /// ```
  ///
  /// Two names are equal where SQLite holds them equal: letters of ASCII may differ in case. A name is taken as it
  /// is, a dot in it too. What is not qualified is `main`, even where `temp` has a table of that name.
  public struct Table: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name, unquoted.
    public let name: String
    /// The database that has the table: `temp`, or the name of an attached one. `nil` for `main`.
    public let schema: String?

    public init(_ name: some StringProtocol) {
      self.name = String(name)
      schema = nil
    }

    /// A table of another database of the connection: of `temp`, or of an attached one.
    ///
    /// A `Database` reads on connections of its own: attach in `Configuration.prepare`, so that each of them has it.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - schema: The name of the database; that of `main` is as none.
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

    /// As its name alone, where it is a table of `main`.
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
    /// The way into the JSON that the column holds; empty for the column itself.
    public private(set) var path: [PathStep] = []

    public init(_ name: some StringProtocol) { self.name = String(name) }
    public init(stringLiteral value: String) { name = value }

    /// The column that tells rows apart.
    ///
    /// It is the column `id`; in a table that has no such column, the one that is the table's primary key.
    public static let id: Column = "id"

    /// A part of the JSON in the column: by the key of an object, by the place in an array.
    ///
    /// It is read as the number or the text that it is; `true` and `false` are 1 and 0, an object or an array is its
    /// JSON. Where there is nothing at that place it is NULL.
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

  /// A step into JSON.
  public enum PathStep: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    ExpressibleByIntegerLiteral, CustomStringConvertible
  {
    case key(String)
    /// Counting from 0.
    case index(Int)

    /// Keys are equal where their bytes are, as SQLite has it.
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
