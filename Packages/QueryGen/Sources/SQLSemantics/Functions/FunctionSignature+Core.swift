internal import QueryModel

// https://www.sqlite.org/lang_corefunc.html
extension FunctionSignature {
  static let core: [FunctionSignature] = [
    .init("abs", .exactly(1), .absolute, .anyArgument),
    .init("changes", .exactly(0), .fixed(.integer), .never, isDeterministic: false),
    .init("char", .atLeast(0), .fixed(.text), .never),
    .init("coalesce", .atLeast(2), .union(from: 0), .allArguments),
    .init("format", .atLeast(0), .fixed(.text), .formatted),
    .init("glob", .exactly(2), .fixed(.boolean), .anyArgument),
    .init("hex", .exactly(1), .fixed(.text), .never),
    .init("ifnull", .exactly(2), .union(from: 0), .allArguments),
    .init("iif", .exactly(3), .union(from: 1), .arguments(from: 1)),
    .init("instr", .exactly(2), .fixed(.integer), .anyArgument),
    .init("last_insert_rowid", .exactly(0), .fixed(.integer), .never, isDeterministic: false),
    .init("length", .exactly(1), .fixed(.integer), .anyArgument),
    .init("like", .between(2, 3), .fixed(.boolean), .anyArgument),
    .init("likelihood", .exactly(2), .argument(0), .firstArgument),
    .init("likely", .exactly(1), .argument(0), .firstArgument),
    .init("load_extension", .between(1, 2), .fixed(.any), .always, isDirectOnly: true),
    .init("lower", .exactly(1), .fixed(.text), .anyArgument),
    .init("ltrim", .between(1, 2), .fixed(.text), .anyArgument),
    .init("max", .atLeast(2), .union(from: 0), .anyArgument),
    .init("min", .atLeast(2), .union(from: 0), .anyArgument),
    .init("nullif", .exactly(2), .argument(0), .always),
    .init("printf", .atLeast(0), .fixed(.text), .formatted),
    .init("quote", .exactly(1), .fixed(.text), .never),
    .init("random", .exactly(0), .fixed(.integer), .never, isDeterministic: false),
    .init("randomblob", .exactly(1), .fixed(.blob), .never, isDeterministic: false),
    .init("replace", .exactly(3), .replacement, .anyArgument),
    .init("round", .between(1, 2), .fixed(.real), .anyArgument),
    .init("rtrim", .between(1, 2), .fixed(.text), .anyArgument),
    .init("sign", .exactly(1), .fixed(.integer), .numericArgument),
    .init("soundex", .exactly(1), .fixed(.text), .never),
    .init(
      "sqlite_compileoption_get", .exactly(1), .fixed(.text), .always, isDeterministic: false),
    .init(
      "sqlite_compileoption_used", .exactly(1), .fixed(.boolean), .anyArgument,
      isDeterministic: false),
    .init("sqlite_log", .exactly(2), .fixed(.any), .always),
    .init("sqlite_source_id", .exactly(0), .fixed(.text), .never, isDeterministic: false),
    .init("sqlite_version", .exactly(0), .fixed(.text), .never, isDeterministic: false),
    .init("substr", .between(2, 3), .slice, .sliced),
    .init("substring", .between(2, 3), .slice, .sliced),
    .init("subtype", .exactly(1), .fixed(.integer), .never),
    .init("total_changes", .exactly(0), .fixed(.integer), .never, isDeterministic: false),
    .init("trim", .between(1, 2), .fixed(.text), .anyArgument),
    .init("typeof", .exactly(1), .fixed(.text), .never),
    // The code point of the first character; NULL for an empty string.
    .init("unicode", .exactly(1), .fixed(.integer), .always),
    .init("unlikely", .exactly(1), .argument(0), .firstArgument),
    .init("upper", .exactly(1), .fixed(.text), .anyArgument),
    .init("zeroblob", .exactly(1), .fixed(.blob), .never),
  ]

  // https://www.sqlite.org/lang_datefunc.html
  static let dateAndTime: [FunctionSignature] = [
    .init("current_date", .exactly(0), .fixed(.text), .never, isDeterministic: false),
    .init("current_time", .exactly(0), .fixed(.text), .never, isDeterministic: false),
    .init("current_timestamp", .exactly(0), .fixed(.text), .never, isDeterministic: false),
    .init("date", .atLeast(0), .fixed(.text), .timeValue(at: 0)),
    .init("datetime", .atLeast(0), .fixed(.text), .timeValue(at: 0)),
    .init("julianday", .atLeast(0), .fixed(.real), .timeValue(at: 0)),
    .init("strftime", .atLeast(0), .fixed(.text), .timeValue(at: 1)),
    .init("time", .atLeast(0), .fixed(.text), .timeValue(at: 0)),
    .init("unixepoch", .atLeast(0), .fixed(.integer), .timeValue(at: 0)),
  ]

  // https://www.sqlite.org/lang_mathfunc.html
  static let mathematics: [FunctionSignature] =
    ["atan", "asinh", "cosh", "degrees", "exp", "radians", "sinh", "tanh"]
    .map { .init($0, .exactly(1), .fixed(.real), .numericArgument) }
    + ["cos", "sin", "tan"].map { .init($0, .exactly(1), .fixed(.real), .finiteArgument) }
    + ["acos", "acosh", "asin", "atanh"].map { .init($0, .exactly(1), .fixed(.real), .always) }
    + ["ln", "log10", "log2", "sqrt"]
    .map { .init($0, .exactly(1), .fixed(.real), .unlessPositiveLiterals) }
    + ["ceil", "ceiling", "floor", "trunc"]
    .map { .init($0, .exactly(1), .rounded, .numericArgument) }
    + ["mod", "pow", "power"]
    .map { .init($0, .exactly(2), .fixed(.real), .unlessPositiveLiterals) }
    + [
      .init("atan2", .exactly(2), .fixed(.real), .numericArgument),
      .init("log", .between(1, 2), .fixed(.real), .always),
      .init("pi", .exactly(0), .fixed(.real), .never),
    ]
}
