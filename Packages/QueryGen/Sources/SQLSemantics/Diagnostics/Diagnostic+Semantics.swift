public import SQLSyntax

/// The semantic errors of a syntactically valid statement.
extension Diagnostic.Identity {
  // Names.
  public static let unknownTable = Self(rawValue: "unknown-table")
  public static let unknownColumn = Self(rawValue: "unknown-column")
  public static let ambiguousColumn = Self(rawValue: "ambiguous-column")
  public static let unknownFunction = Self(rawValue: "unknown-function")
  public static let unknownCollation = Self(rawValue: "unknown-collation")
  public static let unknownObject = Self(rawValue: "unknown-object")
  public static let unknownDatabase = Self(rawValue: "unknown-database")
  public static let unknownModule = Self(rawValue: "unknown-module")
  public static let unknownWindow = Self(rawValue: "unknown-window")
  public static let alreadyExists = Self(rawValue: "already-exists")
  public static let reservedName = Self(rawValue: "reserved-name")
  public static let circularReference = Self(rawValue: "circular-reference")
  /// A declared name that SQLite has built in, or that is declared twice.
  public static let duplicateDeclaration = Self(rawValue: "duplicate-declaration")
  // Calls.
  public static let argumentCount = Self(rawValue: "argument-count")
  /// An argument of a declared function with which the call always fails.
  public static let argumentType = Self(rawValue: "argument-type")
  public static let aggregateMisuse = Self(rawValue: "aggregate-misuse")
  public static let windowMisuse = Self(rawValue: "window-misuse")
  public static let notAFunction = Self(rawValue: "not-a-function")
  public static let unsafeFunction = Self(rawValue: "unsafe-function")
  // Shapes.
  public static let columnCount = Self(rawValue: "column-count")
  public static let valueCount = Self(rawValue: "value-count")
  public static let rowValueMisuse = Self(rawValue: "row-value-misuse")
  public static let orderTerm = Self(rawValue: "order-term")
  public static let invalidJoin = Self(rawValue: "invalid-join")
  public static let invalidFrame = Self(rawValue: "invalid-frame")
  public static let invalidParameter = Self(rawValue: "invalid-parameter")
  /// A parameter that is both a list and a value.
  public static let mixedParameter = Self(rawValue: "mixed-parameter")
  public static let recursionMisuse = Self(rawValue: "recursion-misuse")
  public static let tooComplex = Self(rawValue: "too-complex")
  // Changes.
  public static let notWritable = Self(rawValue: "not-writable")
  /// `ORDER BY` without `LIMIT` on an update or delete.
  public static let orderWithoutLimit = Self(rawValue: "order-without-limit")
  /// A value that a column stores in another storage class than its own.
  public static let storageMismatch = Self(rawValue: "storage-mismatch")
  public static let generatedColumn = Self(rawValue: "generated-column")
  public static let upsertTarget = Self(rawValue: "upsert-target")
  public static let prohibitedHere = Self(rawValue: "prohibited-here")
  // Definitions.
  public static let invalidDefinition = Self(rawValue: "invalid-definition")
  public static let duplicateColumn = Self(rawValue: "duplicate-column")
  public static let primaryKey = Self(rawValue: "primary-key")
  public static let foreignKey = Self(rawValue: "foreign-key")
  public static let strictType = Self(rawValue: "strict-type")
  public static let nonConstantDefault = Self(rawValue: "non-constant-default")
  public static let notAlterable = Self(rawValue: "not-alterable")
  public static let brokenObject = Self(rawValue: "broken-object")
  public static let failsWithRows = Self(rawValue: "fails-with-rows")
}

extension SourceText {
  /// Returns a fix-it that replaces a misspelled name at the end of a span, or `nil` if the name is
  /// spelled differently there.
  func fixIt(
    replacing name: String, atEndOf span: ByteSpan, with replacement: String
  ) -> Diagnostic.FixIt? {
    let written = Array(name.utf8)
    let range = span.range.clamped(to: 0..<byteCount)
    guard !written.isEmpty, bytes[range].suffix(written.count).elementsEqual(written) else {
      return nil
    }
    return Diagnostic.FixIt(
      replace: ByteSpan(range.upperBound - written.count..<range.upperBound),
      with: replacement.nameInSQL)
  }
}
