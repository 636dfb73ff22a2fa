/// The options for generated code.
///
/// The driver reads them from `querygen.yaml`, and the emitter applies them. The keys are SQL names
/// in lower case (ASCII letters only), as SQLite compares them; query names keep their case. The
/// driver reports keys that do not exist in the project; the emitter ignores them.
public struct GenerationOptions: Hashable, Sendable {
  /// The access level of the generated declarations.
  public enum Access: String, Hashable, Sendable, CaseIterable {
    case `internal`
    case `package`
    case `public`
  }

  /// The engine that executes the queries.
  public var engine = DatabaseEngine.sqlite
  /// The name of the generated database type.
  public var databaseName: String
  public var access: Access
  /// The module that generated code imports; it may be one that re-exports `QueryGen`.
  public var runtimeModule: String
  /// Additional modules to import, which declare the types that the options name.
  public var imports: [String]
  /// A Boolean value that indicates whether each table has a separate file, so that files are
  /// compiled in parallel. A build plugin can't use this, since it must know its output files in
  /// advance.
  public var splitsTables: Bool
  /// A Boolean value that indicates whether the generated structs are `Codable`, unless their own
  /// options specify otherwise.
  public var isCodable: Bool
  /// The coding keys of `Codable` structs.
  public var codingKeys: CodingKeyForm
  /// The Swift types of columns by declared type, in upper case with single spaces: `DATETIME`.
  public var types: [String: TypeMapping]
  /// A Boolean value that indicates whether declared types that are not in ``types`` have the
  /// default mappings: ``TypeMapping/init(declaredType:)``.
  public var hasDefaultTypes: Bool
  /// The functions whose protocols are generated with another database of the module, by name.
  public var sharedFunctions: Set<String> = []
  /// The options by table or view.
  public var tables: [String: TableOptions]
  /// The options by query.
  public var queries: [String: QueryOptions]

  public init(
    databaseName: String = "DB", access: Access = .internal, runtimeModule: String = "QueryGen",
    imports: [String] = [], splitsTables: Bool = false, isCodable: Bool = false,
    codingKeys: CodingKeyForm = .properties, types: [String: TypeMapping] = [:],
    hasDefaultTypes: Bool = true, tables: [String: TableOptions] = [:],
    queries: [String: QueryOptions] = [:]
  ) {
    self.databaseName = databaseName
    self.access = access
    self.runtimeModule = runtimeModule
    self.imports = imports
    self.splitsTables = splitsTables
    self.isCodable = isCodable
    self.codingKeys = codingKeys
    self.types = types
    self.hasDefaultTypes = hasDefaultTypes
    self.tables = tables
    self.queries = queries
  }
}

/// An engine that executes queries.
public enum DatabaseEngine: String, Hashable, Sendable, CaseIterable {
  case sqlite
  case postgresql

  /// The module that generated code imports by default.
  public var runtimeModule: String {
    switch self {
    case .sqlite: "QueryGen"
    case .postgresql: "QueryGenPostgreSQL"
    }
  }
}

/// The coding keys of a `Codable` struct.
public enum CodingKeyForm: String, Hashable, Sendable, CaseIterable {
  /// The names of the properties.
  case properties
  /// The names of the columns, so that rows can be decoded by column name.
  case columns
}

/// A Swift type for SQL values, and its conversion.
public struct TypeMapping: Hashable, Sendable {
  /// The storage format of a type.
  public enum Coding: Hashable, Sendable {
    /// The type conforms to the runtime's protocols for reading and binding.
    case value
    /// The type is `RawRepresentable`, and its raw value is stored.
    case rawValue
    /// The type is `Codable`, and is stored as JSON text.
    case json
    /// The named type has static methods that convert values.
    case adapter(String)
  }

  /// The type's name in Swift, such as `Date`, `Todo.ID` or `[String]`. It is never optional, since
  /// that depends on the column.
  public var type: String
  public var coding: Coding
  /// A Boolean value that indicates whether a value of the type can represent NULL, so that it is
  /// never optional.
  public var holdsNull: Bool

  public init(type: String, coding: Coding = .value, holdsNull: Bool = false) {
    self.type = type
    self.coding = coding
    self.holdsNull = holdsNull
  }
}

extension TypeMapping {
  /// Creates the default mapping of a declared type; `nil` if it has none.
  ///
  /// These declared types have no meaning for SQLite, which stores any value in such a column.
  /// Lengths in parentheses and letter case are ignored.
  ///
  /// | declared type | Swift type | stored as |
  /// |---|---|---|
  /// | `DATETIME`, `TIMESTAMP` with or without time zone | `Date` | text, as by `datetime()` |
  /// | `DATE` | `Date` | text, as by `date()` |
  /// | `UUID`, `GUID` | `UUID` | text |
  /// | `JSON` | `JSONDocument` | text |
  public init?(declaredType: String) {
    let words = declaredType.prefix { $0 != "(" } + declaredType.drop { $0 != ")" }.dropFirst()
    switch words.split(whereSeparator: \.isWhitespace).joined(separator: " ").uppercased() {
    case "DATETIME", "TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE",
      "TIMESTAMP WITHOUT TIME ZONE":
      self.init(type: "Date")
    case "DATE": self.init(type: "Date", coding: .adapter("ColumnFormats.DateOnlyText"))
    case "UUID", "GUID": self.init(type: "UUID")
    case "JSON": self.init(type: "JSONDocument")
    default: return nil
    }
  }
}

/// The options for a table or a view.
public struct TableOptions: Hashable, Sendable {
  /// The name of the table's struct.
  public var swiftName: String?
  /// A Boolean value that indicates whether the table's struct is `Codable`; `nil` to use
  /// ``GenerationOptions/isCodable``.
  public var isCodable: Bool?
  /// The options by column.
  public var columns: [String: ColumnOptions]
  /// Properties that are not columns.
  public var properties: [AdditionalProperty]

  public init(
    swiftName: String? = nil, isCodable: Bool? = nil, columns: [String: ColumnOptions] = [:],
    properties: [AdditionalProperty] = []
  ) {
    self.swiftName = swiftName
    self.isCodable = isCodable
    self.columns = columns
    self.properties = properties
  }
}

/// A property of a table's struct that is not a column. It follows the columns' properties.
public struct AdditionalProperty: Hashable, Sendable {
  public var name: String
  /// The property's type and initial value in Swift: `Int = 0`.
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The options for a column or a parameter.
public struct ColumnOptions: Hashable, Sendable {
  /// The name of the property or argument.
  public var swiftName: String?
  /// The type, which takes precedence over the mapping of the declared type.
  public var mapping: TypeMapping?

  public init(swiftName: String? = nil, mapping: TypeMapping? = nil) {
    self.swiftName = swiftName
    self.mapping = mapping
  }
}

/// The options for a query.
public struct QueryOptions: Hashable, Sendable {
  /// The name of the query's property, with which the names of its types begin.
  public var swiftName: String?
  /// The names of the structs of the query's input and rows, if it has them.
  public var inputName: String?
  public var rowName: String?
  /// A Boolean value that indicates whether the query's structs are `Codable`; `nil` to use
  /// ``GenerationOptions/isCodable``.
  public var isCodable: Bool?
  /// The options by result column.
  public var columns: [String: ColumnOptions]
  /// The options by parameter, named without its prefix character.
  public var parameters: [String: ColumnOptions]
  /// The lists that the query's rows contain.
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

/// Columns of a join that become elements of a list. Rows that are equal in all other columns are
/// merged, and each adds an element, unless all of the list's columns are `NULL` because an outer
/// join found no row.
public struct NestedList: Hashable, Sendable {
  /// The name of the list's property.
  public var name: String
  /// The names of the result columns, except for those of the lists in the elements.
  public var columns: [String]
  /// The lists that each element contains.
  public var lists: [NestedList]

  public init(name: String, columns: [String], lists: [NestedList] = []) {
    self.name = name
    self.columns = columns
    self.lists = lists
  }
}
