/// What the author chooses about the generated code, as plain values.
///
/// The driver reads them from `querygen.yaml`; the emitter does what they say. Names of SQL are keys in
/// lower case (ASCII letters alone), as SQLite compares them; queries are named as their author wrote
/// them. A key for which there is nothing is the driver's business, not the emitter's.
public struct GenerationOptions: Hashable, Sendable {
  /// Who can use the generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    case `internal`
    case `package`
    case `public`
  }

  /// The name of the type that holds the queries.
  public var databaseName: String
  public var access: Access
  /// The module that generated code imports; one that re-exports `QueryGen` will do.
  public var runtimeModule: String
  /// More modules to import: those that declare what ``types`` and the tables' options name.
  public var imports: [String]
  /// Whether each table has a file of its own, so that many are compiled side by side. A build plugin
  /// has to know its files beforehand, and can't use it.
  public var splitsTables: Bool
  /// Whether the generated structs are `Codable`, where nothing of their own says otherwise.
  public var isCodable: Bool
  /// How the properties of `Codable` structs are called where they are encoded.
  public var codingKeys: CodingKeyForm
  /// The Swift types of columns by their declared type, in upper case with single spaces: `DATETIME`.
  public var types: [String: TypeMapping]
  /// By table or view.
  public var tables: [String: TableOptions]
  /// By query.
  public var queries: [String: QueryOptions]

  public init(
    databaseName: String = "DB", access: Access = .internal, runtimeModule: String = "QueryGen",
    imports: [String] = [], splitsTables: Bool = false, isCodable: Bool = false,
    codingKeys: CodingKeyForm = .properties, types: [String: TypeMapping] = [:],
    tables: [String: TableOptions] = [:], queries: [String: QueryOptions] = [:]
  ) {
    self.databaseName = databaseName
    self.access = access
    self.runtimeModule = runtimeModule
    self.imports = imports
    self.splitsTables = splitsTables
    self.isCodable = isCodable
    self.codingKeys = codingKeys
    self.types = types
    self.tables = tables
    self.queries = queries
  }
}

/// How the properties of a `Codable` struct are called where it is encoded.
public enum CodingKeyForm: String, Hashable, Sendable, CaseIterable {
  /// As they are.
  case properties
  /// As the columns, so that rows are decoded by the columns' names.
  case columns
}

/// A Swift type for values of SQL, and how one becomes the other.
public struct TypeMapping: Hashable, Sendable {
  /// How a value of the type is stored.
  public enum Coding: Hashable, Sendable {
    /// The type itself can be read from a column and bound: it conforms to the runtime's protocols.
    case value
    /// The type is `RawRepresentable`, and its raw value is stored.
    case rawValue
    /// The type is `Codable`, and is stored as a text of JSON.
    case json
    /// This type has the static methods that convert.
    case adapter(String)
  }

  /// The type as Swift spells it: `Date`, `Todo.ID`, `[String]`; never optional, as the column says
  /// whether it is.
  public var type: String
  public var coding: Coding
  /// Whether a value of the type itself can be NULL, and so is never optional.
  public var holdsNull: Bool

  public init(type: String, coding: Coding = .value, holdsNull: Bool = false) {
    self.type = type
    self.coding = coding
    self.holdsNull = holdsNull
  }
}

/// What is chosen for a table or a view.
public struct TableOptions: Hashable, Sendable {
  /// The name of its struct.
  public var swiftName: String?
  /// Whether its struct is `Codable`; `nil` for what ``GenerationOptions/isCodable`` says.
  public var isCodable: Bool?
  /// By column.
  public var columns: [String: ColumnOptions]
  /// Properties that are no columns.
  public var properties: [AddedProperty]

  public init(
    swiftName: String? = nil, isCodable: Bool? = nil, columns: [String: ColumnOptions] = [:],
    properties: [AddedProperty] = []
  ) {
    self.swiftName = swiftName
    self.isCodable = isCodable
    self.columns = columns
    self.properties = properties
  }
}

/// A property of a table's struct that is no column: it stands behind those that are.
public struct AddedProperty: Hashable, Sendable {
  public var name: String
  /// Its type, and what it begins with, as Swift says it: `Int = 0`.
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// What is chosen for a column or a parameter.
public struct ColumnOptions: Hashable, Sendable {
  /// The name of its property or argument.
  public var swiftName: String?
  /// Its type, before what its declared type maps to.
  public var mapping: TypeMapping?

  public init(swiftName: String? = nil, mapping: TypeMapping? = nil) {
    self.swiftName = swiftName
    self.mapping = mapping
  }
}

/// What is chosen for a query.
public struct QueryOptions: Hashable, Sendable {
  /// The name of its property; its types' names begin with it.
  public var swiftName: String?
  /// The names of its input's and its rows' structs, where it has them.
  public var inputName: String?
  public var rowName: String?
  /// Whether its structs are `Codable`; `nil` for what ``GenerationOptions/isCodable`` says.
  public var isCodable: Bool?
  /// By column of its result.
  public var columns: [String: ColumnOptions]
  /// By parameter, named without its first character.
  public var parameters: [String: ColumnOptions]
  /// The lists that its rows nest.
  public var lists: [NestedList]

  public init(
    swiftName: String? = nil, inputName: String? = nil, rowName: String? = nil,
    isCodable: Bool? = nil, columns: [String: ColumnOptions] = [:],
    parameters: [String: ColumnOptions] = [:], lists: [NestedList] = []
  ) {
    self.swiftName = swiftName
    self.inputName = inputName
    self.rowName = rowName
    self.isCodable = isCodable
    self.columns = columns
    self.parameters = parameters
    self.lists = lists
  }
}

/// Columns of a join that become elements of a list: rows that are equal in all other columns are
/// one, and each adds an element; none where all these columns are `NULL`, as an outer join makes them.
public struct NestedList: Hashable, Sendable {
  /// The name of the list's property.
  public var name: String
  /// The columns of the result, by name.
  public var columns: [String]

  public init(name: String, columns: [String]) {
    self.name = name
    self.columns = columns
  }
}
