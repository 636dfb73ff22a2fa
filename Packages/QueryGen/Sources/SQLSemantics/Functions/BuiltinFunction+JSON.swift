internal import QueryModel

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
