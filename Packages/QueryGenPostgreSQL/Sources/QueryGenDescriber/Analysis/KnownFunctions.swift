/// PostgreSQL's functions and operators that return a value if none of their arguments is NULL.
///
/// A strict function may still return NULL, as `substring(text from pattern)` and `lower(range)` do, so that only known
/// ones are listed.
enum KnownFunctions {
  /// Functions that never return NULL.
  static let neverNull: Set<String> = [
    "clock_timestamp", "concat", "current_database", "gen_random_uuid", "json_build_array",
    "json_build_object", "jsonb_build_array", "jsonb_build_object", "now", "num_nonnulls",
    "num_nulls", "pg_backend_pid", "pi", "quote_nullable", "random", "statement_timestamp",
    "timeofday", "transaction_timestamp", "version",
  ]

  /// Functions that return NULL only if their first argument is NULL.
  static let nullOnlyForFirst: Set<String> = ["concat_ws", "format"]

  /// Functions in FROM with rows of one column that is not NULL.
  static let rowsWithoutNull: Set<String> = [
    "generate_series", "generate_subscripts", "json_array_elements", "json_object_keys",
    "jsonb_array_elements", "jsonb_object_keys", "regexp_split_to_table",
  ]

  static let counts: Set<String> = ["count", "regr_count"]

  static let ranks: Set<String> = ["cume_dist", "dense_rank", "percent_rank", "rank", "row_number"]

  /// Aggregates that are not NULL if there are rows.
  static let presentForRows: Set<String> = [
    "array_agg", "json_agg", "json_object_agg", "jsonb_agg", "jsonb_object_agg",
  ]

  /// Aggregates that are not NULL if there are rows, and their argument is not NULL in any.
  static let presentForValues: Set<String> = [
    "avg", "bit_and", "bit_or", "bool_and", "bool_or", "every", "max", "min", "string_agg", "sum",
  ]

  private static let numbers: Set<UInt32> = [20, 21, 23, 26, 700, 701, 1700]
  private static let texts: Set<UInt32> = [17, 18, 19, 25, 1042, 1043]
  private static let times: Set<UInt32> = [1082, 1083, 1114, 1184, 1186, 1266]
  /// Booleans, UUIDs, and the types with variants of operators: arrays, enumerations, elements, records.
  private static let others: Set<UInt32> = [
    16, 2277, 2283, 2776, 2950, 3500, 5077, 5078, 5079, 2249,
  ]
  private static let json: UInt32 = 3802

  /// Indicates whether a built-in operator returns a value if its operands are not NULL.
  static func isTotal(_ entry: ServerCatalog.Operator) -> Bool {
    let known = numbers.union(texts).union(times).union(others)
    let operands = [entry.left, entry.right].filter { $0 != 0 }
    let comparisons: Set = ["=", "<>", "<", "<=", ">", ">="]
    if comparisons.contains(entry.name) {
      return operands.allSatisfy { known.contains($0) || $0 == json || $0 == 3831 }
    }
    if operands.first == json {
      return ["||", "@>", "<@", "?", "?|", "?&", "-"].contains(entry.name)
    }
    guard operands.allSatisfy(known.contains) else { return false }
    return [
      "+", "-", "*", "/", "%", "^", "||", "~~", "!~~", "~~*", "!~~*", "~", "!~", "~*", "!~*", "&",
      "|", "#", "<<", ">>", "@", "|/", "||/", "^@", "@>", "<@", "&&",
    ].contains(entry.name)
  }

  /// Indicates whether a built-in function returns a value if its arguments are not NULL.
  static func isTotal(_ function: ServerCatalog.Function) -> Bool {
    let arguments = function.argumentTypes
    switch function.name {
    // Of a range, the bound may be missing.
    case "lower", "upper": return arguments == [25]
    // With a pattern, NULL if nothing matches.
    case "substr", "substring": return arguments.dropFirst().allSatisfy { $0 == 23 }
    case "to_timestamp": return arguments == [701]
    // The time of day of an infinite timestamp is NULL.
    case "time", "timetz": return !arguments.contains(1114) && !arguments.contains(1184)
    // JSON's null becomes NULL in later releases.
    case "bool", "float4", "float8", "int2", "int4", "int8", "numeric":
      return !arguments.contains(json)
    default: return total.contains(function.name)
    }
  }

  private static let total: Set<String> = [
    // Conversions
    "bpchar", "char", "date", "interval", "name", "text", "timestamp", "timestamptz", "varchar",
    // Text
    "ascii", "bit_length", "btrim", "char_length", "character_length", "chr", "decode", "encode",
    "initcap", "left", "length", "lpad", "ltrim", "md5", "octet_length", "overlay", "position",
    "quote_ident", "quote_literal", "regexp_replace", "regexp_split_to_array", "repeat", "replace",
    "reverse", "right", "rpad", "rtrim", "sha224", "sha256", "sha384", "sha512", "split_part",
    "starts_with", "string_to_array", "strpos", "to_hex", "translate",
    // Numbers
    "abs", "cbrt", "ceil", "ceiling", "degrees", "div", "exp", "factorial", "floor", "gcd", "lcm",
    "ln", "log", "log10", "mod", "pow", "power", "radians", "round", "sign", "sqrt", "trunc",
    "width_bucket",
    // Dates and times
    "date_bin", "date_trunc", "isfinite", "make_date", "make_interval", "make_time",
    "make_timestamp", "make_timestamptz", "timezone",
    // Arrays and JSON
    "array_append", "array_cat", "array_positions", "array_prepend", "array_remove",
    "array_replace", "array_to_json", "array_to_string", "cardinality", "jsonb_array_length",
    "jsonb_typeof", "json_array_length", "json_typeof", "row_to_json", "to_json", "to_jsonb",
    // Sequences
    "currval", "nextval", "setval",
  ]
}
