/// A declaration of a function, a collation or a virtual-table module that SQLite does not have built
/// in. It is written in a comment or in the project's configuration.
///
/// ```sql
/// -- function: slug(title TEXT NOT NULL) -> TEXT NOT NULL deterministic innocuous
/// -- aggregate: median(value REAL) -> REAL
/// -- collation: localized
/// -- module: series(value INTEGER NOT NULL, start INTEGER HIDDEN) eponymous
/// ```
public struct Declaration: Equatable, Sendable {
  /// The kinds of declaration. The raw value is the keyword before the `:`.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case function, aggregate, window, collation, module
  }

  /// The words after the result.
  public enum Attribute: String, Hashable, Sendable, CaseIterable {
    /// Equal arguments always yield equal results.
    case deterministic
    /// The function or module has no side effects, so that the schema may use it.
    case innocuous
    /// Views, triggers and constraints must not use the function or module.
    case directonly
    /// A loadable extension provides the implementation.
    case `extension`
    /// `RETURNS NULL ON NULL INPUT`: the result is `NULL` if an argument is.
    case returnsNull = "returns"
    /// The module is also a table with the module's name.
    case eponymous
    /// `EPONYMOUS ONLY`: the module is only a table with the module's name.
    case eponymousOnly = "only"
    /// Statements can't change the module's tables.
    case readonly
  }

  /// The kind.
  public var kind: Kind
  /// The name.
  public var name: Identifier
  /// The parameters of a function, or the columns of a module.
  public var parameters: [Parameter]
  /// The type of a function's result.
  public var result: ResultType?
  /// The attributes, each with its span.
  public var attributes: [Attribute: ByteSpan]
  /// Indicates whether the arguments of `CREATE VIRTUAL TABLE` define columns, which precede the
  /// module's own: `*`.
  public var takesColumns: Bool
  /// The lines of the comment above the declaration, without comment markers.
  public var documentation: [String]
  /// The declaration's span, without its keyword.
  @SourceSpan public var span: ByteSpan

  /// A parameter of a function, or a column of a module, written like a column of a table.
  public struct Parameter: Equatable, Sendable {
    /// The name, the type and the constraints `NOT NULL` and `DEFAULT`.
    public var column: ColumnDefinition
    /// The text after `AS`, which specifies the Swift type.
    public var annotation: ByteSpan?
    /// `VARIADIC`: the parameter stands for any number of arguments.
    public var isVariadic = false
    /// `HIDDEN`: the column is an argument of a table-valued function.
    public var isHidden = false
  }

  /// The type of a function's result.
  public struct ResultType: Equatable, Sendable {
    /// The type, as declared.
    public var type: TypeName
    /// Indicates whether the type is followed by `NOT NULL`.
    public var isNotNull: Bool
    /// The text after `AS`, which specifies the Swift type.
    public var annotation: ByteSpan?
  }
}
