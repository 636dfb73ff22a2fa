import QueryModel

/// A query as Swift sees it: the types that it takes and gives, and how its SQL is called.
struct QueryShape {
  enum Piece: Hashable {
    case text(String)
    /// The placeholders of the list that the parameter of this number holds.
    case list(Int)
  }

  /// The parameters, in the order of their first use.
  let fields: [Field]
  /// The properties of the row struct that is the query's own; `nil` where it has none.
  let rowFields: [Field]?
  /// The type of one row; `nil` where there are none.
  let row: String?
  /// Whether a row is one bare value, and not a struct.
  let isScalar: Bool
  let isRowNullable: Bool
  let output: String
  let cardinality: Cardinality
  /// The largest number among the parameters.
  let parameterCount: Int
  /// Whether the values are collected in an array: there are lists, or gaps between the numbers.
  let isCalledWithList: Bool
  let pieces: [Piece]

  /// Numbers may leave gaps, which are bound to NULL. This many are written out.
  private static let largestGap = 16

  init(_ query: NamedProject.Query, _ named: NamedProject) {
    let definition = query.definition
    fields = Field.fields(of: definition.parameters)
    cardinality = definition.cardinality

    var rowFields: [Field]?
    var isScalar = false
    var isRowNullable = false
    switch definition.result {
    case .none: row = nil
    case .table(let table): row = named.tableTypes[table] ?? table
    case .columns(let columns) where columns.count == 1:
      isScalar = true
      isRowNullable = columns[0].isNullable && columns[0].type != .any
      row = columns[0].type.swiftName(isNullable: columns[0].isNullable)
    case .columns(let columns):
      rowFields = Field.fields(of: columns)
      row = query.row
    }
    self.rowFields = rowFields
    self.isScalar = isScalar
    self.isRowNullable = isRowNullable

    switch (row, definition.cardinality) {
    case (nil, _), (_, .none): output = "Int"
    case (let row?, .one): output = row
    // A value that may be NULL in a row that may not be there: either way there is none.
    case (let row?, .optional): output = isRowNullable ? row : row + "?"
    case (let row?, .many): output = "[\(row)]"
    }

    let count = definition.parameters.map(\.index).max() ?? 0
    parameterCount = count
    isCalledWithList =
      definition.parameters.contains(where: \.isList)
      || count > definition.parameters.count + QueryShape.largestGap
    pieces = isCalledWithList ? QueryShape.pieces(of: definition) : [.text(definition.sql)]
  }

  /// What the output is, where its type does not say it.
  var outputRemark: String {
    switch (row, cardinality) {
    case (nil, _), (_, .none): ": the number of rows that it changed"
    case (_, .optional): ": `nil` where there is no row"
    default: ""
    }
  }

  /// The SQL around its lists, with every other parameter written by its number, since a list's
  /// placeholders would shift what a bare `?` counts.
  private static func pieces(of definition: QueryDefinition) -> [Piece] {
    var uses: [(range: Range<Int>, parameter: ParameterDefinition)] = []
    for parameter in definition.parameters {
      for range in parameter.isList ? parameter.listRanges : parameter.ranges {
        uses.append((range, parameter))
      }
    }
    uses.sort { $0.range.lowerBound < $1.range.lowerBound }
    let bytes = Array(definition.sql.utf8)
    var pieces: [Piece] = []
    var text = ""
    var position = 0
    for (range, parameter) in uses
    where range.lowerBound >= position && range.upperBound <= bytes.count {
      text += String(decoding: bytes[position..<range.lowerBound], as: UTF8.self)
      position = range.upperBound
      if parameter.isList {
        pieces += [.text(text), .list(parameter.index)]
        text = ""
      } else {
        text += "?\(parameter.index)"
      }
    }
    text += String(decoding: bytes[position...], as: UTF8.self)
    return text.isEmpty ? pieces : pieces + [.text(text)]
  }
}
