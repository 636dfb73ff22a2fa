extension DatabaseRoute {
  /// The name of a table or a view.
  ///
  /// ```swift
  /// extension DatabaseRoute.Table { static let todos: Self = "todos" }
  /// ```
  ///
  /// Two names are equal where SQLite holds them equal: letters of ASCII may differ in case.
  public struct Table: Hashable, Sendable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
  {
    /// The name, unquoted.
    public let name: String

    public init(_ name: some StringProtocol) { self.name = String(name) }
    public init(stringLiteral value: String) { name = value }

    public init(from decoder: any Decoder) throws {
      name = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(name)
    }

    public static func == (a: Self, b: Self) -> Bool { a.name.isSameName(as: b.name) }
    public func hash(into hasher: inout Hasher) { name.hashName(into: &hasher) }

    public var description: String { name }
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
