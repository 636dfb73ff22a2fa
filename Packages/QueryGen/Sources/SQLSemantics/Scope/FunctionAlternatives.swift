internal import SQLSyntax

/// The SQLite equivalents of functions of other databases.
enum FunctionAlternative {
  /// A function with the same arguments.
  case function(String)
  /// An expression, in place of a call without arguments.
  case expression(String)
  /// A description of an expression with other arguments.
  case description(String)

  static func find(_ name: NameKey) -> FunctionAlternative? { all[name.folded] }

  private static let all: [String: FunctionAlternative] = [
    "now": .expression("CURRENT_TIMESTAMP"), "getdate": .expression("CURRENT_TIMESTAMP"),
    "sysdate": .expression("CURRENT_TIMESTAMP"), "utc_timestamp": .expression("CURRENT_TIMESTAMP"),
    "localtimestamp": .expression("CURRENT_TIMESTAMP"), "curdate": .expression("CURRENT_DATE"),
    "curtime": .expression("CURRENT_TIME"),
    "len": .function("length"), "char_length": .function("length"),
    "character_length": .function("length"), "nvl": .function("ifnull"),
    "isnull": .function("ifnull"), "ucase": .function("upper"), "lcase": .function("lower"),
    "mid": .function("substr"), "greatest": .function("max"), "least": .function("min"),
    "strpos": .function("instr"), "json_agg": .function("json_group_array"),
    "jsonb_agg": .function("json_group_array"), "array_agg": .function("json_group_array"),
    "json_build_object": .function("json_object"), "json_build_array": .function("json_array"),
    "json_object_agg": .function("json_group_object"),
    "rand": .function("random"),
    "uuid": .expression("hex(randomblob(16))"), "newid": .expression("hex(randomblob(16))"),
    "gen_random_uuid": .expression("hex(randomblob(16))"),
    "uuid_generate_v4": .expression("hex(randomblob(16))"),
    "last_insert_id": .expression("last_insert_rowid()"),
    "charindex": .description("instr(text, part)"), "locate": .description("instr(text, part)"),
    "to_char": .description("strftime(format, time)"),
    "date_format": .description("strftime(format, time)"),
    "date_trunc": .description("strftime(format, time) or date(time, 'start of month')"),
    "date_part": .description("strftime('%Y', time)"), "year": .description("strftime('%Y', time)"),
    "month": .description("strftime('%m', time)"), "day": .description("strftime('%d', time)"),
    "datediff": .description("julianday(a) - julianday(b)"),
    "date_add": .description("datetime(time, '+1 day')"),
    "dateadd": .description("datetime(time, '+1 day')"),
    "date_sub": .description("datetime(time, '-1 day')"),
    "to_timestamp": .description("datetime(seconds, 'unixepoch')"),
    "from_unixtime": .description("datetime(seconds, 'unixepoch')"),
    "unix_timestamp": .description("unixepoch(time)"),
  ]
}

extension Resolver {
  /// Adds to the last error, about an unknown name without a similar one, how to declare the name.
  mutating func hintDeclaration(_ kind: String, _ example: String) {
    guard var last = diagnostics.popLast() else { return }
    if last.fixIt == nil { last.notes.append(.declarationHint(kind, example)) }
    diagnostics.append(last)
  }

  /// Returns the parameters of the example of a declaration.
  static func parameters(_ count: Int) -> String {
    (0..<count).map { "argument\(count > 1 ? "\($0 + 1)" : "") TEXT" }.joined(separator: ", ")
  }

  /// Reports a call of an unknown function, with the alternative to a function of another database.
  mutating func reportUnknownFunction(_ node: FunctionCall) {
    guard let alternative = FunctionAlternative.find(NameKey(node.name.text)) else {
      reportUnknown(
        .unknownFunction, "function", node.name.text, at: node.name.span,
        candidates: catalog.functions.names)
      hintDeclaration(
        "function",
        "\(node.name.text.nameInSQL)(\(Self.parameters(node.arguments.expressions.count))) -> TEXT")
      return
    }
    var diagnostic = Diagnostic(
      .unknownFunction, at: node.name.span, "no such function: `\(node.name.text)`")
    switch alternative {
    case .function(let name):
      diagnostic.message += "; use \(name)()"
      diagnostic.fixIt = Diagnostic.FixIt(replace: node.name.span, with: name)
    case .expression(let text):
      diagnostic.message += "; use \(text)"
      if node.arguments == .list([], quantifier: nil) {
        diagnostic.fixIt = Diagnostic.FixIt(replace: node.span, with: text)
      }
    case .description(let text): diagnostic.message += "; use \(text)"
    }
    diagnostics.append(diagnostic)
  }
}

extension Diagnostic.Note {
  /// Explains how to declare a name that the program or an extension provides.
  static func declarationHint(_ kind: String, _ example: String) -> Diagnostic.Note {
    Diagnostic.Note(
      "if the program or an extension provides it, declare it in a comment: "
        + "`-- \(kind): \(example)`")
  }
}
