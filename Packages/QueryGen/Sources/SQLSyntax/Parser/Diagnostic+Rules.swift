extension Diagnostic.Identity {
  /// A text longer than SQLite's limit.
  public static let textTooLong = Self(rawValue: "text-too-long")
  /// Parentheses, calls and subqueries nested beyond SQLite's limit.
  public static let nestingTooDeep = Self(rawValue: "nesting-too-deep")
  /// An expression tree deeper than SQLite's limit.
  public static let expressionTooDeep = Self(rawValue: "expression-too-deep")
  /// A compound select with more arms than SQLite's limit.
  public static let tooManyArms = Self(rawValue: "too-many-arms")
  /// A `FROM` clause with more terms than SQLite's limit.
  public static let tooManySources = Self(rawValue: "too-many-sources")
  /// A function call with more arguments than SQLite's limit.
  public static let tooManyArguments = Self(rawValue: "too-many-arguments")
  /// `?0`, or a parameter number beyond SQLite's limit.
  public static let parameterNumberOutOfRange = Self(rawValue: "parameter-number-out-of-range")
  /// A hexadecimal number of more than 64 bits.
  public static let hexNumberTooLarge = Self(rawValue: "hex-number-too-large")
  /// `ORDER BY` or `LIMIT` before a compound operator such as `UNION`.
  public static let clauseBeforeCompound = Self(rawValue: "clause-before-compound")
  /// Words before `JOIN` that name no kind of join.
  public static let unknownJoin = Self(rawValue: "unknown-join")
  /// `ON` or `USING` after a natural join.
  public static let constraintOnNaturalJoin = Self(rawValue: "constraint-on-natural-join")
  /// `ON` or `USING` after the first table.
  public static let constraintWithoutJoin = Self(rawValue: "constraint-without-join")
  /// `ON CONFLICT` directly after a table, which SQLite parses as a join's `ON`.
  public static let ambiguousUpsert = Self(rawValue: "ambiguous-upsert")
  /// Frame bounds that SQLite does not support together.
  public static let unsupportedFrame = Self(rawValue: "unsupported-frame")
  /// A table option other than `STRICT` and `WITHOUT ROWID`.
  public static let unknownTableOption = Self(rawValue: "unknown-table-option")
  /// A generated column that is neither `VIRTUAL` nor `STORED`.
  public static let unknownGeneratedStorage = Self(rawValue: "unknown-generated-storage")
  /// A schema-qualified target table within a trigger.
  public static let qualifiedNameInTrigger = Self(rawValue: "qualified-name-in-trigger")
  /// `INDEXED BY` or `NOT INDEXED` on a target table within a trigger.
  public static let indexingInTrigger = Self(rawValue: "indexing-in-trigger")
  /// `RETURNING` in a trigger.
  public static let returningInTrigger = Self(rawValue: "returning-in-trigger")
}

extension Diagnostic {
  static func textTooLong(_ source: SourceText) -> Diagnostic {
    Diagnostic(
      .textTooLong, at: ByteSpan(0..<0),
      "the text is longer than \(SourceText.maximumByteCount) bytes")
  }

  static func nestingTooDeep(at span: ByteSpan) -> Diagnostic {
    Diagnostic(.nestingTooDeep, at: span, "the nesting is deeper than SQLite can parse")
  }

  static func expressionTooDeep(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .expressionTooDeep, at: span,
      "this expression is more than \(Parser.maximumExpressionDepth) operators deep")
  }

  static func tooManyArms(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .tooManyArms, at: span,
      "a compound select has at most \(Parser.maximumCompoundArms) arms")
  }

  static func tooManySources(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .tooManySources, at: span, "a FROM has at most \(Parser.maximumSourceCount) terms")
  }

  static func tooManyArguments(_ name: Identifier) -> Diagnostic {
    Diagnostic(
      .tooManyArguments, at: name.span,
      "a function takes at most \(Parser.maximumArgumentCount) arguments")
  }

  static func parameterNumberOutOfRange(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .parameterNumberOutOfRange, at: span,
      "a parameter number must be between 1 and \(Parser.maximumParameterNumber)")
  }

  static func hexNumberTooLarge(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .hexNumberTooLarge, at: span, "a hexadecimal number has at most 64 bits")
  }

  static func clauseBeforeCompound(
    _ clause: TokenKind, _ op: CompoundOperator, at span: ByteSpan
  ) -> Diagnostic {
    let words = clause == .limit ? "LIMIT" : "ORDER BY"
    return Diagnostic(
      .clauseBeforeCompound, at: span, "\(words) must come after \(op.rawValue), not before it")
  }

  static func unknownJoin(_ words: String, at span: ByteSpan) -> Diagnostic {
    Diagnostic(.unknownJoin, at: span, "unknown join type: \"\(words)\"")
  }

  static func constraintOnNaturalJoin(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .constraintOnNaturalJoin, at: span, "a natural join can't have ON or USING as well")
  }

  static func constraintWithoutJoin(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .constraintWithoutJoin, at: span, "ON and USING require a join before them")
  }

  static func ambiguousUpsert(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .ambiguousUpsert, at: span,
      "SQLite parses this ON as a join constraint; write WHERE true before ON CONFLICT",
      fixIt: FixIt(replace: ByteSpan(span.start, span.start), with: "WHERE true "))
  }

  static func unsupportedFrame(at span: ByteSpan) -> Diagnostic {
    Diagnostic(.unsupportedFrame, at: span, "a frame can't end before it starts")
  }

  static func unknownTableOption(_ text: String, at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .unknownTableOption, at: span,
      "unknown table option \"\(text)\"; expected STRICT or WITHOUT ROWID")
  }

  static func unknownGeneratedStorage(_ name: Identifier) -> Diagnostic {
    Diagnostic(
      .unknownGeneratedStorage, at: name.span,
      "unknown storage of a generated column; expected VIRTUAL or STORED")
  }

  static func qualifiedNameInTrigger(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .qualifiedNameInTrigger, at: span,
      "a qualified table name is not allowed as the target of a statement in a trigger")
  }

  static func indexingInTrigger(at span: ByteSpan) -> Diagnostic {
    Diagnostic(
      .indexingInTrigger, at: span, "INDEXED BY and NOT INDEXED are not allowed in a trigger")
  }

  static func returningInTrigger(at span: ByteSpan) -> Diagnostic {
    Diagnostic(.returningInTrigger, at: span, "RETURNING is not allowed in a trigger")
  }
}
