internal import QueryModel
internal import SQLSyntax

/// What SQLite knows of one of its functions, and what can be said of the function's result.
struct BuiltinFunction: Sendable {
  /// Whether the function makes a value of a row, of a group, or only of a window.
  enum Kind: Hashable, Sendable {
    case scalar
    /// Also usable over a window.
    case aggregate
    /// An error without an `OVER` clause.
    case window
  }

  /// How many arguments the function takes.
  enum Arity: Hashable, Sendable {
    case exactly(Int)
    case between(Int, Int)
    case atLeast(Int)

    func accepts(_ count: Int) -> Bool {
      switch self {
      case .exactly(let wanted): count == wanted
      case .between(let low, let high): count >= low && count <= high
      case .atLeast(let low): count >= low
      }
    }
  }

  /// What type the result has, given the arguments' types.
  enum TypeRule: Hashable, Sendable {
    case fixed(ValueType)
    /// The type of the argument at this position.
    case argument(Int)
    /// A value of one of the arguments, from this position on.
    case union(from: Int)
    /// Integer for an integer, else real: `abs`.
    case absolute
    /// The argument's number as it is: `ceil`, `floor`, `trunc`.
    case rounded
    /// Integer for integers, real for reals, one of them for anything else: `sum`.
    case sum
    /// A part of the argument: text, unless that may be a blob.
    case slice
    /// Text, unless the whole document may be replaced by a value: `json_set`.
    case document
    /// Text, unless the pattern may be empty, which gives the argument back as it is.
    case replacement
  }

  /// When the result can be `NULL`.
  enum NullRule: Hashable, Sendable {
    case never
    case always
    /// When any argument is.
    case anyArgument
    /// When the first argument is, or there is none.
    case firstArgument
    /// When all arguments are.
    case allArguments
    /// When one of the arguments from this position on is.
    case arguments(from: Int)
    /// When the argument is, or is not a number.
    case numericArgument
    /// Unless every argument is a positive number written out.
    case unlessPositiveLiterals
    /// When the time value or a modifier is not understood.
    case timeValue(at: Int)
    /// When the text is empty: that SQLite gives as `NULL`.
    case formatted
    /// When the group or frame is empty, or holds nothing but `NULL`.
    case group
    /// As ``group``; over a window, also when all its texts are empty.
    case textOfGroup
    /// When any argument is, and for a part of an empty blob.
    case sliced
    /// When the first argument is, or the whole document may be replaced.
    case document
    /// When the row asked for lies outside the partition and there is no default.
    case neighbour
  }

  /// The name, in lower case.
  let name: String
  let kind: Kind
  let arity: Arity
  let type: TypeRule
  let null: NullRule
  /// Whether equal arguments always give equal results, which an index needs.
  let isDeterministic: Bool
  /// Whether views, triggers and constraints must not call it.
  let isDirectOnly: Bool
  /// The first release that has it, where that is newer than the standard one.
  let since: SQLiteVersion

  init(
    _ name: String, _ arity: Arity, _ type: TypeRule, _ null: NullRule, kind: Kind = .scalar,
    isDeterministic: Bool = true, isDirectOnly: Bool = false, since: SQLiteVersion = .standard
  ) {
    self.name = name
    self.kind = kind
    self.arity = arity
    self.type = type
    self.null = null
    self.isDeterministic = isDeterministic
    self.isDirectOnly = isDirectOnly
    self.since = since
  }
}
