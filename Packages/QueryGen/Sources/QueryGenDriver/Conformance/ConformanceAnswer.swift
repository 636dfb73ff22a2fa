internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// What is said of one case, as one line of JSON; what is not known is `null`, and no key is missing.
struct ConformanceAnswer: Encodable {
  let id: String
  let accept: Bool
  var error: Fault?
  var columns: [Column] = []
  var parameters: [Parameter] = []
  var readonly = true

  struct Fault: Encodable {
    let code: String
    let message: String
    let offset: Int
  }

  struct Column: Encodable {
    let name: String
    let type: String
    let nullable: Bool
    let table: String?
    let column: String?

    private enum CodingKeys: String, CodingKey {
      case name, type, nullable, table, column
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(type, forKey: .type)
      try container.encode(nullable, forKey: .nullable)
      try container.encode(table, forKey: .table)
      try container.encode(column, forKey: .column)
    }
  }

  struct Parameter: Encodable {
    let name: String?
    let index: Int
    let type: String
    let nullable: Bool

    private enum CodingKeys: String, CodingKey {
      case name, index, type, nullable
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encode(index, forKey: .index)
      try container.encode(type, forKey: .type)
      try container.encode(nullable, forKey: .nullable)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case id, accept, error, columns, parameters, readonly
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(accept, forKey: .accept)
    try container.encode(error, forKey: .error)
    try container.encode(columns, forKey: .columns)
    try container.encode(parameters, forKey: .parameters)
    try container.encode(readonly, forKey: .readonly)
  }
}

extension ConformanceAnswer {
  /// A text that holds no statement.
  static func nothing(id: String) -> ConformanceAnswer { ConformanceAnswer(id: id, accept: true) }

  /// A statement that is refused, and why.
  init(id: String, refusal: Diagnostic) {
    self.id = id
    accept = false
    error = Fault(
      code: refusal.identity.rawValue, message: refusal.message, offset: refusal.span.start.value)
  }

  /// A statement that is accepted.
  ///
  /// Every number up to the largest is a parameter, whether it is used or not: so SQLite counts.
  init(id: String, analysis: StatementAnalysis) {
    self.id = id
    accept = true
    columns = analysis.columns.map { column in
      Column(
        name: column.name, type: column.type.word, nullable: column.isNullable,
        table: column.table, column: column.column)
    }
    let used = Dictionary(
      analysis.parameters.map { ($0.index, $0) }, uniquingKeysWith: { first, _ in first })
    // Numbers as large as `?250000` are one parameter to whoever reads this, not all below.
    let indexes =
      analysis.parameterCount <= 1000
      ? Array(1..<(analysis.parameterCount + 1)) : used.keys.sorted()
    parameters = indexes.map { index in
      Parameter(
        name: used[index]?.name, index: index, type: (used[index]?.type ?? .any).word,
        nullable: used[index]?.isNullable ?? true)
    }
    readonly = analysis.isReadOnly
  }
}

extension ValueType {
  /// The type's name for other programs.
  fileprivate var word: String {
    switch self {
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    case .boolean: "boolean"
    case .numeric: "numeric"
    case .any: "any"
    }
  }
}
