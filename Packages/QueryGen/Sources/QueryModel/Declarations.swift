/// The functions, collations and modules that a project's SQL uses and SQLite does not have built in.
public struct Declarations: Hashable, Sendable {
  /// The functions, sorted by name.
  public var functions: [FunctionDefinition]
  /// The collations, sorted by name.
  public var collations: [CollationDefinition]
  /// The virtual-table modules, sorted by name.
  public var modules: [ModuleDefinition]

  public init(
    functions: [FunctionDefinition] = [], collations: [CollationDefinition] = [],
    modules: [ModuleDefinition] = []
  ) {
    self.functions = functions
    self.collations = collations
    self.modules = modules
  }

  /// A Boolean value that indicates whether the program must provide an implementation.
  public var needsImplementations: Bool {
    functions.contains { !$0.isInExtension } || collations.contains { !$0.isInExtension }
      || modules.contains { !$0.isInExtension }
  }
}

/// A function that the program or an extension of SQLite provides.
public struct FunctionDefinition: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case scalar
    case aggregate
    /// An aggregate that can also be used over a window.
    case window
  }

  /// The name, as declared.
  public var name: String
  public var kind: Kind
  /// The parameters, in order. A parameter with a default value is followed only by others.
  public var parameters: [FunctionParameter]
  /// The result. Its name is `result`, and its origin is the function itself: see
  /// ``TableColumn/init(function:value:)``.
  public var result: ColumnDefinition
  /// A Boolean value that indicates whether the result is NULL if an argument is, without a call.
  public var returnsNullOnNull: Bool
  public var isDeterministic: Bool
  /// A Boolean value that indicates whether the schema may use the function.
  public var isInnocuous: Bool
  /// A Boolean value that indicates whether only statements may use the function.
  public var isDirectOnly: Bool
  /// A Boolean value that indicates whether an extension provides the implementation.
  public var isInExtension: Bool
  public var documentation: String?

  public init(
    name: String, kind: Kind = .scalar, parameters: [FunctionParameter], result: ColumnDefinition,
    returnsNullOnNull: Bool = false, isDeterministic: Bool = false, isInnocuous: Bool = false,
    isDirectOnly: Bool = false, isInExtension: Bool = false, documentation: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.parameters = parameters
    self.result = result
    self.returnsNullOnNull = returnsNullOnNull
    self.isDeterministic = isDeterministic
    self.isInnocuous = isInnocuous
    self.isDirectOnly = isDirectOnly
    self.isInExtension = isInExtension
    self.documentation = documentation
  }

  /// The smallest number of arguments.
  public var minimumArguments: Int {
    parameters.count { $0.defaultValue == nil && !$0.isVariadic }
  }

  /// The largest number of arguments; `nil` if the function is variadic.
  public var maximumArguments: Int? {
    parameters.contains(where: \.isVariadic) ? nil : parameters.count
  }

  /// Returns the parameter of an argument.
  public func parameter(at index: Int) -> FunctionParameter? {
    index < parameters.count
      ? parameters[index] : parameters.last.flatMap { $0.isVariadic ? $0 : nil }
  }
}

/// A parameter of a function.
public struct FunctionParameter: Hashable, Sendable {
  /// The values of literals.
  public enum Literal: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// The name and the type. The origin is the parameter itself.
  public var column: ColumnDefinition
  /// The value for an omitted argument; `nil` if the argument is required.
  public var defaultValue: Literal?
  /// A Boolean value that indicates whether the parameter stands for any number of arguments.
  public var isVariadic: Bool

  public init(_ column: ColumnDefinition, defaultValue: Literal? = nil, isVariadic: Bool = false) {
    self.column = column
    self.defaultValue = defaultValue
    self.isVariadic = isVariadic
  }
}

extension TableColumn {
  /// The origin of values that a function returns unchanged or receives: its result or one of its
  /// parameters.
  public init(function: String, value: String) {
    self.init(table: function + "()", column: value)
  }
}

/// A collation that the program or an extension of SQLite provides.
public struct CollationDefinition: Hashable, Sendable {
  /// The name, as declared.
  public var name: String
  /// A Boolean value that indicates whether an extension provides the implementation.
  public var isInExtension: Bool
  public var documentation: String?

  public init(name: String, isInExtension: Bool = false, documentation: String? = nil) {
    self.name = name
    self.isInExtension = isInExtension
    self.documentation = documentation
  }
}

/// A virtual-table module that the program or an extension of SQLite provides.
public struct ModuleDefinition: Hashable, Sendable {
  /// The tables that use the module.
  public enum Kind: String, Hashable, Sendable {
    /// Tables that `CREATE VIRTUAL TABLE` creates.
    case created
    /// Such tables, and a table with the module's name.
    case eponymous
    /// Only a table with the module's name.
    case eponymousOnly
  }

  /// A column of the module's tables.
  public struct Column: Hashable, Sendable {
    public var column: ColumnDefinition
    /// A Boolean value that indicates whether the column is an argument of a table-valued function.
    public var isHidden: Bool

    public init(_ column: ColumnDefinition, isHidden: Bool = false) {
      self.column = column
      self.isHidden = isHidden
    }
  }

  /// The name, as declared.
  public var name: String
  public var kind: Kind
  public var columns: [Column]
  /// A Boolean value that indicates whether arguments of `CREATE VIRTUAL TABLE` define columns, which
  /// precede ``columns``.
  public var takesColumns: Bool
  public var isReadOnly: Bool
  /// A Boolean value that indicates whether the schema may use the module's tables.
  public var isInnocuous: Bool
  /// A Boolean value that indicates whether only statements may use the module's tables.
  public var isDirectOnly: Bool
  /// A Boolean value that indicates whether an extension provides the implementation.
  public var isInExtension: Bool
  public var documentation: String?

  public init(
    name: String, kind: Kind = .created, columns: [Column], takesColumns: Bool = false,
    isReadOnly: Bool = false, isInnocuous: Bool = false, isDirectOnly: Bool = false,
    isInExtension: Bool = false, documentation: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.columns = columns
    self.takesColumns = takesColumns
    self.isReadOnly = isReadOnly
    self.isInnocuous = isInnocuous
    self.isDirectOnly = isDirectOnly
    self.isInExtension = isInExtension
    self.documentation = documentation
  }
}
