internal import QueryModel
internal import SQLSyntax

/// Warnings about values that a column stores in another storage class than the one in which the
/// generated code reads the column.
///
/// A table that is not `STRICT` stores a value unchanged if the column's affinity can't convert it:
/// an `INTEGER` column stores `1.5` as REAL and `'x'` as TEXT.
/// See <https://www.sqlite.org/datatype3.html#type_affinity>.
enum StorageMismatch: Hashable, Sendable {
  /// A number that may have a fraction, in a column of integers.
  case fraction
  /// A text that is not a number, or may not be one, in a column of numbers.
  case text(isCertain: Bool)
  /// A blob in a column of another type.
  case blob
  /// A value other than a blob in a column of blobs.
  case notBlob

  /// Returns the mismatch between an expression that is not a choice of others and a column.
  init?(_ value: TypedExpression, in column: SourceColumn) {
    guard let type = value.type, value.parameter == nil, !value.isUnknown else { return nil }
    switch column.type {
    case .integer, .boolean, .real, .numeric:
      let isInteger = column.type == .integer || column.type == .boolean
      if type == .blob {
        self = .blob
      } else if let isCertain = value.isTextOfNoNumber {
        self = .text(isCertain: isCertain)
      } else if isInteger, column.storage == .plain, value.hasFraction {
        self = .fraction
      } else {
        return nil
      }
    case .text where type == .blob && column.storage == .plain: self = .blob
    case .blob where type != .blob && type != .any && column.storage == .plain: self = .notBlob
    case .text, .blob, .any, .swift, nil: return nil
    }
  }
}

/// The way in which the values of a table's column are stored and read.
enum ColumnStorage: Hashable, Sendable {
  /// The column's affinity is applied, and it is read as its declared type.
  case plain
  /// The column's affinity is applied, and a comment sets its Swift type, which may be stored in
  /// several storage classes.
  case annotated
  /// Values of another type are rejected, or stored by a module or trigger.
  case checked
}

extension Resolver {
  /// Records that a value is stored in a column.
  mutating func store(_ value: TypedExpression, in column: SourceColumn?) {
    guard let column else { return }
    hint(
      value, type: column.type, acceptsNull: column.isNullable, name: column.name,
      provenance: column.provenance)
    if !column.replacesNull { markStored(value) }
    warnOfMismatch(value, in: column)
  }

  /// Records that a parameter's value is stored in a column, also if it is `NULL`. `coalesce(:a, a)`
  /// doesn't store the `NULL` of its parameter.
  private mutating func markStored(_ value: TypedExpression) {
    switch value.kind {
    case .parameter(let number): parameters.markStored(number)
    case .collate(let inner, _), .cast(let inner, _): markStored(inner)
    case .cases(_, let branches, let otherwise):
      for branch in branches { markStored(branch.then) }
      if let otherwise { markStored(otherwise) }
    case .function(let function, let arguments)
    where function.returnsArgument && function.null != .allArguments:
      for argument in function.returned(arguments) { markStored(argument) }
    default: break
    }
  }

  /// Warns if a column's default value can't be read as the column's type.
  mutating func warnOfDefault(of node: SQLSyntax.ColumnDefinition, _ column: SourceColumn) {
    for case .default(let written) in node.constraints.map(\.kind) {
      let value: TypedExpression
      switch written {
      case .literal(let expression), .expression(let expression):
        // Errors were reported when the column was defined.
        var trial = Resolver(catalog: catalog, source: source)
        value = trial.resolve(expression, in: Scope(id: trial.makeScopeID(), parent: nil))
      case .identifier(let word):
        guard word.folded != "true", word.folded != "false" else { return }
        value = TypedExpression(kind: .literal(.text(word.text)), type: .text, span: word.span)
      }
      warnOfMismatch(value, in: column, isDefault: true)
    }
  }

  private mutating func warnOfMismatch(
    _ value: TypedExpression, in column: SourceColumn, isDefault: Bool = false
  ) {
    guard column.storage != .checked, catalog.reportsRuntimeErrors else { return }
    if let alternatives = value.alternatives {
      for part in alternatives { warnOfMismatch(part, in: column) }
      return
    }
    guard let mismatch = StorageMismatch(value, in: column) else { return }
    let replacement = mismatch.replacement(
      for: value, written: source[value.span], column, isDefault: isDefault)
    warn(
      .storageMismatch, at: value.span, mismatch.message(value, column),
      fixIt: replacement.map { Diagnostic.FixIt(replace: value.span, with: $0) })
  }
}

extension StorageMismatch {
  fileprivate func message(_ value: TypedExpression, _ column: SourceColumn) -> String {
    let name = "`\(column.name)`"
    let wanted =
      switch column.type {
      case .boolean: "a Boolean"
      case .integer: "an integer"
      case .real, .numeric: "a number"
      case .text: "text"
      case .blob, .any, .swift, nil: "a blob"
      }
    switch self {
    case .fraction:
      return
        "a value with a fraction is stored in \(name) as REAL, and can't be read as \(wanted); "
        + "round it, or declare the column as REAL"
    case .text(let isCertain):
      return "a text that is not a number is stored in \(name) as TEXT, and can't be read as "
        + "\(wanted); " + (isCertain ? "store a number" : "convert it")
        + ", or declare the column as TEXT"
    case .blob:
      return "a blob is stored in \(name) unchanged, and can't be read as \(wanted); "
        + "convert it, or declare the column as BLOB"
    case .notBlob:
      let stored = value.type == .text ? "a text" : "a number"
      return "\(stored) is stored in \(name) unchanged, and can't be read as \(wanted); "
        + "convert it, or declare the column with the value's type"
    }
  }

  /// Returns an expression whose value can be read, if there is an obvious one.
  fileprivate func replacement(
    for value: TypedExpression, written: String, _ column: SourceColumn, isDefault: Bool
  ) -> String? {
    // The default in parentheses and without them is written differently.
    guard !isDefault || value.isCurrentTimestamp || value.truth != nil else { return nil }
    switch self {
    case .fraction:
      return value.isLiteral ? nil : "CAST(round(\(written)) AS INTEGER)"
    case .text(let isCertain):
      if column.type == .boolean, let truth = value.truth { return truth ? "TRUE" : "FALSE" }
      if value.isCurrentTimestamp, column.type == .integer {
        return isDefault ? "(unixepoch())" : "unixepoch()"
      }
      guard !isCertain else { return nil }
      return "CAST(\(written) AS \(column.type == .real ? "REAL" : "INTEGER"))"
    case .blob:
      return column.type == .text && !value.isLiteral ? "hex(\(written))" : nil
    case .notBlob: return value.type == .text ? "CAST(\(written) AS BLOB)" : nil
    }
  }
}

extension TypedExpression {
  fileprivate var isLiteral: Bool { if case .literal = kind { true } else { false } }

  fileprivate var isCurrentTimestamp: Bool {
    if case .function(let function, _) = kind {
      function.name == "current_timestamp"
    } else {
      false
    }
  }

  /// The Boolean that the text literal spells.
  fileprivate var truth: Bool? {
    switch literalText?.lowercased() {
    case "true", "t", "yes": true
    case "false", "f", "no": false
    default: nil
    }
  }

  /// Indicates whether the value is certainly a text that SQLite doesn't convert to a number, or may
  /// be one; `nil` if there is no reason to assume so.
  fileprivate var isTextOfNoNumber: Bool? {
    switch kind {
    case .literal(.text(let text)): return text.isNumber ? nil : true
    case .column, .subquery: return type == .text ? false : nil
    case .function(let function, let arguments), .aggregate(let function, let arguments, _, _):
      if function.name == "strftime" {
        return arguments.first?.literalText.map(\.isFormatOfNumber) ?? true ? nil : true
      }
      let texts: Set = [
        "date", "time", "datetime", "current_date", "current_time", "current_timestamp", "typeof",
        "json", "json_array", "json_object", "json_group_array", "json_group_object",
      ]
      return texts.contains(function.name) ? true : nil
    default: return nil
    }
  }

  /// Indicates whether the value may be a number with a fraction, or too large for an integer, given
  /// that the columns contain values of their types.
  var hasFraction: Bool {
    if let alternatives { return alternatives.contains(where: \.hasFraction) }
    switch kind {
    case .literal(.real(let value)): return Int64(exactly: value) == nil
    case .literal(.text(let text)): return text.isNumber && Int64(text.trimmed) == nil
    case .column(let column): return column.hasFraction
    case .merged(let parts, _): return parts.contains(where: \.hasFraction)
    case .subquery: return subqueryHasFraction
    case .negation(let inner): return type != .integer && inner.hasFraction
    case .arithmetic, .division: return chainHasFraction
    case .cast(let inner, let affinity):
      switch affinity {
      case .real: return inner.hasFraction || !(inner.type?.isNumber ?? true)
      case .numeric, .none: return inner.hasFraction
      case .integer, .text: return false
      }
    case .function(let function, let arguments), .aggregate(let function, let arguments, _, _),
      .window(let function, let arguments, _):
      return function.mayReturnFraction(arguments)
    default: return false
    }
  }
}

extension TypedExpression {
  /// Indicates whether a chain of arithmetic operators, which may be too long for recursion, has a
  /// result with a fraction.
  private var chainHasFraction: Bool {
    var rest = self
    while true {
      switch rest.kind {
      case .arithmetic(let op, let left, let right):
        guard ["+", "-", "*"].contains(op) else { return false }
        if right.hasFraction { return true }
        rest = left
      case .division(let op, let left, let right):
        guard op == "/" else { return false }
        if left.type == .real || right.type == .real || right.hasFraction { return true }
        rest = left
      default: return rest.hasFraction
      }
    }
  }
}

extension FunctionSignature {
  fileprivate func mayReturnFraction(_ arguments: [TypedExpression]) -> Bool {
    switch type {
    case .fixed(.real):
      switch name {
      case "round": return arguments.count > 1 && !arguments[1].isZero
      case "total": return arguments.first?.hasFraction ?? false
      default: return true
      }
    case .absolute, .sum, .argument: return arguments.first?.hasFraction ?? false
    case .union: return returned(arguments).contains(where: \.hasFraction)
    case .fixed, .rounded, .slice, .document, .replacement: return false
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }

  /// Indicates whether the text is a number that a numeric affinity converts.
  fileprivate var isNumber: Bool {
    let text = trimmed
    return text.unicodeScalars.allSatisfy { "0123456789+-.eE".unicodeScalars.contains($0) }
      && Double(text)?.isFinite == true
  }

  /// Indicates whether the format of `strftime` consists of conversions to digits.
  fileprivate var isFormatOfNumber: Bool {
    !isEmpty
      && replacing("%s", with: "").replacing("%Y", with: "").replacing("%m", with: "")
        .replacing("%d", with: "").replacing("%H", with: "").replacing("%M", with: "")
        .replacing("%S", with: "").replacing("%j", with: "").replacing("%w", with: "")
        .replacing("%W", with: "").allSatisfy { $0.isASCII && $0.isNumber }
  }
}
