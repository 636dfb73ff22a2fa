internal import QueryModel
internal import SQLSyntax

/// A function that is built into SQLite or declared, with rules for the type and nullability of its
/// result.
struct FunctionSignature: Sendable {
  /// The kind of function: one that computes a value for a row, for a group, or only over a window.
  enum Kind: Hashable, Sendable {
    case scalar
    /// An aggregate, also usable over a window.
    case aggregate
    /// A window function, which requires an `OVER` clause.
    case window
  }

  /// The number of arguments that a function accepts.
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

  /// A rule that derives the result's type from the arguments' types.
  enum TypeRule: Hashable, Sendable {
    case fixed(ValueType)
    /// The type of the argument at this position.
    case argument(Int)
    /// The common type of the arguments from this position on.
    case union(from: Int)
    /// Integer for an integer, otherwise real: `abs`.
    case absolute
    /// The argument's numeric type: `ceil`, `floor`, `trunc`.
    case rounded
    /// Integer for integers, real for reals, numeric for any other type: `sum`.
    case sum
    /// Text, unless the argument may be a blob: `substr`.
    case slice
    /// Text, unless the whole document may be replaced by a value: `json_set`.
    case document
    /// Text, unless the pattern may be empty, which returns the argument unchanged: `replace`.
    case replacement
  }

  /// A rule that determines whether the result can be `NULL`.
  enum NullRule: Hashable, Sendable {
    case never
    case always
    /// If any argument can be `NULL`.
    case anyArgument
    /// If the first argument can be `NULL` or is missing.
    case firstArgument
    /// If all arguments can be `NULL`.
    case allArguments
    /// If one of the arguments from this position on can be `NULL`.
    case arguments(from: Int)
    /// If the argument can be `NULL` or something other than a number.
    case numericArgument
    /// Like ``numericArgument``; also if the argument can be infinite.
    case finiteArgument
    /// Unless every argument is a positive literal.
    case unlessPositiveLiterals
    /// If the time value or a modifier may be invalid.
    case timeValue(at: Int)
    /// If the result may be an empty text, which SQLite returns as `NULL`.
    case formatted
    /// If the group or frame may be empty or contain only `NULL`.
    case group
    /// Like ``group``; over a window, also if all strings are empty.
    case textOfGroup
    /// Like ``group``; also if the group may contain infinities of both signs.
    case sumOfGroup
    /// If the group may contain infinities of both signs.
    case total
    /// If any argument can be `NULL`, and for a part of an empty blob.
    case sliced
    /// If the first argument can be `NULL` or the whole document may be replaced.
    case document
    /// If the requested row may lie outside the partition and there is no default.
    case neighbour
  }

  /// The name, in lowercase.
  let name: String
  let kind: Kind
  let arity: Arity
  let type: TypeRule
  let null: NullRule
  /// Indicates whether equal arguments always yield equal results, which an index requires.
  let isDeterministic: Bool
  /// Indicates whether views, triggers and constraints must not call the function.
  let isDirectOnly: Bool
  /// The release that introduced the function, or the standard release if the function is older.
  let since: SQLiteVersion
  /// The declaration of a function that is not built into SQLite.
  let declaration: FunctionDefinition?

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
    declaration = nil
  }

  /// Creates a declared function.
  init(_ definition: FunctionDefinition) {
    name = NameKey(definition.name).folded
    kind = definition.kind == .scalar ? .scalar : .aggregate
    arity =
      definition.maximumArguments.map { .between(definition.minimumArguments, $0) }
      ?? .atLeast(definition.minimumArguments)
    type = .fixed(definition.result.type)
    null =
      definition.result.isNullable ? .always : definition.returnsNullOnNull ? .anyArgument : .never
    isDeterministic = definition.isDeterministic
    isDirectOnly = definition.isDirectOnly
    since = .standard
    declaration = definition
  }

  /// Indicates whether an aggregate can be used over a window.
  var allowsWindow: Bool { declaration.map { $0.kind == .window } ?? (kind != .scalar) }
}

extension FunctionSignature {
  // https://www.sqlite.org/lang_aggfunc.html
  static let aggregates: [FunctionSignature] = [
    .init("avg", .exactly(1), .fixed(.real), .sumOfGroup, kind: .aggregate, isDeterministic: false),
    .init(
      "count", .between(0, 1), .fixed(.integer), .never, kind: .aggregate,
      isDeterministic: false),
    .init(
      "group_concat", .between(1, 2), .fixed(.text), .textOfGroup, kind: .aggregate,
      isDeterministic: false),
    .init("json_group_array", .exactly(1), .fixed(.text), .never, kind: .aggregate),
    .init("json_group_object", .exactly(2), .fixed(.text), .never, kind: .aggregate),
    .init("max", .exactly(1), .argument(0), .group, kind: .aggregate, isDeterministic: false),
    .init("min", .exactly(1), .argument(0), .group, kind: .aggregate, isDeterministic: false),
    .init("sum", .exactly(1), .sum, .sumOfGroup, kind: .aggregate, isDeterministic: false),
    .init(
      "total", .exactly(1), .fixed(.real), .total, kind: .aggregate, isDeterministic: false),
  ]

  // https://www.sqlite.org/windowfunctions.html#built_in_window_functions
  static let windows: [FunctionSignature] = [
    .init("cume_dist", .exactly(0), .fixed(.real), .never, kind: .window),
    .init("dense_rank", .exactly(0), .fixed(.integer), .never, kind: .window),
    .init("first_value", .exactly(1), .argument(0), .group, kind: .window),
    .init("lag", .between(1, 2), .argument(0), .always, kind: .window),
    .init("lag", .exactly(3), .union(from: 0), .neighbour, kind: .window),
    .init("last_value", .exactly(1), .argument(0), .group, kind: .window),
    .init("lead", .between(1, 2), .argument(0), .always, kind: .window),
    .init("lead", .exactly(3), .union(from: 0), .neighbour, kind: .window),
    .init("nth_value", .exactly(2), .argument(0), .always, kind: .window),
    .init("ntile", .exactly(1), .fixed(.integer), .never, kind: .window),
    .init("percent_rank", .exactly(0), .fixed(.real), .never, kind: .window),
    .init("rank", .exactly(0), .fixed(.integer), .never, kind: .window),
    .init("row_number", .exactly(0), .fixed(.integer), .never, kind: .window),
  ]

  // https://www.sqlite.org/fts5.html, fts3.html and rtree.html. Whether the first argument is a
  // full-text table is only known at run time.
  static let fullTextSearch: [FunctionSignature] = [
    .init("bm25", .atLeast(0), .fixed(.real), .always, isDeterministic: false),
    .init("fts3_tokenizer", .between(1, 2), .fixed(.blob), .always, isDirectOnly: true),
    .init("fts5", .exactly(1), .fixed(.any), .always, isDeterministic: false),
    .init("fts5_source_id", .exactly(0), .fixed(.text), .never, isDeterministic: false),
    .init("highlight", .atLeast(0), .fixed(.text), .always, isDeterministic: false),
    .init("match", .exactly(2), .fixed(.boolean), .always, isDeterministic: false),
    .init("matchinfo", .between(1, 2), .fixed(.blob), .always, isDeterministic: false),
    .init("offsets", .exactly(1), .fixed(.text), .always, isDeterministic: false),
    .init("optimize", .exactly(1), .fixed(.text), .always, isDeterministic: false),
    .init("rtreecheck", .atLeast(0), .fixed(.text), .always, isDeterministic: false),
    .init("rtreedepth", .exactly(1), .fixed(.integer), .always, isDeterministic: false),
    .init("rtreenode", .exactly(2), .fixed(.text), .always, isDeterministic: false),
    .init("snippet", .atLeast(0), .fixed(.text), .always, isDeterministic: false),
  ]
}

// https://www.sqlite.org/json1.html: invalid JSON is a run-time error, not NULL.
extension FunctionSignature {
  static let json: [FunctionSignature] = [
    .init("->", .exactly(2), .fixed(.text), .always),
    .init("->>", .exactly(2), .fixed(.any), .always),
    .init("json", .exactly(1), .fixed(.text), .anyArgument),
    .init("json_array", .atLeast(0), .fixed(.text), .never),
    .init("json_array_length", .exactly(1), .fixed(.integer), .anyArgument),
    .init("json_array_length", .exactly(2), .fixed(.integer), .always),
    .init("json_extract", .atLeast(0), .fixed(.any), .always),
    .init("json_insert", .atLeast(0), .fixed(.text), .firstArgument),
    .init("json_object", .atLeast(0), .fixed(.text), .never),
    .init("json_patch", .exactly(2), .fixed(.text), .anyArgument),
    .init("json_quote", .exactly(1), .fixed(.text), .never),
    .init("json_remove", .exactly(1), .fixed(.text), .anyArgument),
    .init("json_remove", .atLeast(0), .fixed(.text), .always),
    .init("json_replace", .atLeast(0), .document, .document),
    .init("json_set", .atLeast(0), .document, .document),
    .init("json_type", .exactly(1), .fixed(.text), .anyArgument),
    .init("json_type", .exactly(2), .fixed(.text), .always),
    .init("json_valid", .exactly(1), .fixed(.boolean), .never),
  ]
}

// https://www.sqlite.org/changes.html
extension FunctionSignature {
  /// The functions added by releases after 3.40.
  static let newer: [FunctionSignature] = [
    .init("unhex", .between(1, 2), .fixed(.blob), .always, since: .init(3, 41)),
    .init("json_error_position", .exactly(1), .fixed(.integer), .anyArgument, since: .init(3, 42)),
    .init("octet_length", .exactly(1), .fixed(.integer), .anyArgument, since: .init(3, 43)),
    .init("timediff", .exactly(2), .fixed(.text), .always, since: .init(3, 43)),
    .init("concat", .atLeast(1), .fixed(.text), .never, since: .init(3, 44)),
    .init("concat_ws", .atLeast(2), .fixed(.text), .firstArgument, since: .init(3, 44)),
    .init(
      "string_agg", .exactly(2), .fixed(.text), .textOfGroup, kind: .aggregate,
      isDeterministic: false, since: .init(3, 44)),
    .init("json_valid", .exactly(2), .fixed(.boolean), .always, since: .init(3, 45)),
    .init("jsonb", .exactly(1), .fixed(.blob), .anyArgument, since: .init(3, 45)),
    .init("jsonb_array", .atLeast(0), .fixed(.blob), .never, since: .init(3, 45)),
    .init("jsonb_extract", .atLeast(0), .fixed(.any), .always, since: .init(3, 45)),
    .init("jsonb_insert", .atLeast(0), .fixed(.blob), .always, since: .init(3, 45)),
    .init("jsonb_object", .atLeast(0), .fixed(.blob), .never, since: .init(3, 45)),
    .init("jsonb_patch", .exactly(2), .fixed(.blob), .anyArgument, since: .init(3, 45)),
    .init("jsonb_remove", .atLeast(0), .fixed(.blob), .always, since: .init(3, 45)),
    .init("jsonb_replace", .atLeast(0), .fixed(.any), .always, since: .init(3, 45)),
    .init("jsonb_set", .atLeast(0), .fixed(.any), .always, since: .init(3, 45)),
    .init(
      "jsonb_group_array", .exactly(1), .fixed(.blob), .never, kind: .aggregate,
      since: .init(3, 45)),
    .init(
      "jsonb_group_object", .exactly(2), .fixed(.blob), .never, kind: .aggregate,
      since: .init(3, 45)),
    .init("json_pretty", .between(1, 2), .fixed(.text), .anyArgument, since: .init(3, 46)),
    .init("if", .exactly(3), .union(from: 1), .arguments(from: 1), since: .init(3, 48)),
    .init("if", .exactly(2), .argument(1), .always, since: .init(3, 48)),
    .init("iif", .exactly(2), .argument(1), .always, since: .init(3, 48)),
    .init("if", .atLeast(4), .fixed(.any), .always, since: .init(3, 49)),
    .init("iif", .atLeast(4), .fixed(.any), .always, since: .init(3, 49)),
    .init("unistr", .exactly(1), .fixed(.text), .anyArgument, since: .init(3, 50)),
    .init("unistr_quote", .exactly(1), .fixed(.text), .never, since: .init(3, 50)),
    .init("json_array_insert", .atLeast(0), .fixed(.text), .always, since: .init(3, 53)),
    .init("jsonb_array_insert", .atLeast(0), .fixed(.blob), .always, since: .init(3, 53)),
  ]
}
