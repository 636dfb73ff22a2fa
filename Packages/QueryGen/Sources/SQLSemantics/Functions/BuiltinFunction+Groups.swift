internal import QueryModel

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
