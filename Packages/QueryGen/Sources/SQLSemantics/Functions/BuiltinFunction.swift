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

extension BuiltinFunction {
  // https://www.sqlite.org/lang_aggfunc.html
  static let aggregates: [BuiltinFunction] = [
    .init("avg", .exactly(1), .fixed(.real), .group, kind: .aggregate, isDeterministic: false),
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
    .init("sum", .exactly(1), .sum, .group, kind: .aggregate, isDeterministic: false),
    .init(
      "total", .exactly(1), .fixed(.real), .never, kind: .aggregate, isDeterministic: false),
  ]

  // https://www.sqlite.org/windowfunctions.html#built_in_window_functions
  static let windows: [BuiltinFunction] = [
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
  // full text table is known only when the function runs.
  static let fullTextSearch: [BuiltinFunction] = [
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

// https://www.sqlite.org/json1.html: text that is no JSON is an error at run time, not a NULL.
extension BuiltinFunction {
  static let json: [BuiltinFunction] = [
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
extension BuiltinFunction {
  /// What releases after 3.40 have added.
  static let newer: [BuiltinFunction] = [
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
