internal import QueryModel
internal import SQLSyntax

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
