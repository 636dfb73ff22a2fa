internal import QueryModel
internal import SQLSyntax

/// What a select gives.
struct ResolvedSelect: Sendable {
  var columns: [SelectColumn]
  /// The scopes around it that it reads.
  var outerScopes: Set<ScopeID> = []
  /// The scopes around it that its aggregates range over.
  var outerAggregateScopes: Set<ScopeID> = []
  var rowCount = RowCount.many
  /// What a recursive table must not do, arm by arm.
  var traits: [Traits] = []
  /// Whether its columns are not known, for an error was reported.
  var isUnknown = false
  /// The one table that every column comes from, in its order: `SELECT * FROM t`.
  var wholeTable: String?
  /// What its `WHERE` says of single tables; `nil` where there are several arms.
  var rowConditions: RowConditions?

  struct Traits: Sendable {
    let isAggregate: Bool
    let hasWindow: Bool
  }

  static let unknown = ResolvedSelect(columns: [], isUnknown: true)
}

/// A column that a select gives.
struct SelectColumn: Sendable {
  /// The name as SQLite reports it for the statement's result.
  var name: String
  /// The name under which the column is known where the select is a source of rows.
  var innerName: String
  var type: ValueType?
  var affinity: Affinity?
  var isNullable: Bool
  var collation: String
  var origin: ColumnOrigin?
  /// The origin that SQLite reports where the select is a source of rows: its last arm's.
  var innerOrigin: ColumnOrigin?
  var expression: TypedExpression?
  /// The columns of tables whose values these are.
  var provenance = Provenance.computed
  /// The `table.*` that it is a part of.
  var star: StarPart?
  /// Whether the name is an alias that is written.
  var hasAlias = false
}

/// That a column is one of those that `table.*` stands for.
struct StarPart: Hashable, Sendable {
  /// The position of `table.*` among what is selected.
  let item: Int
  /// The name before `.*`, as the source is called.
  let name: String
  /// The table or view of the schema, and how many columns it has.
  let table: String
  let columnCount: Int
  /// Whether an outer join may have found no row.
  let isOptional: Bool
}

extension ResolvedSelect {
  /// The columns as those of a source, with names that are distinct, as SQLite makes them.
  func sourceColumns(names: [String]? = nil) -> [SourceColumn] {
    let given = columns.enumerated().map { index, column in
      names.flatMap { index < $0.count ? $0[index] : nil } ?? column.innerName
    }
    return zip(columns, Self.distinct(given)).map { column, name in
      SourceColumn(
        name: name, key: NameKey(name), type: column.type, affinity: column.affinity,
        isNullable: column.isNullable, collation: column.collation,
        origin: column.innerOrigin, provenance: column.provenance)
    }
  }

  /// Names that are distinct: of two equal ones, the second is known as `name:1`.
  static func distinct(_ names: [String]) -> [String] {
    var used: Set<NameKey> = []
    // The last number that each name has got: all below are taken.
    var numbers: [NameKey: Int] = [:]
    return names.map { given in
      var name = given
      guard used.contains(NameKey(name)) else {
        used.insert(NameKey(name))
        return name
      }
      let base = String(base(of: name))
      var number = numbers[NameKey(base)] ?? 0
      repeat {
        number += 1
        name = "\(base):\(number)"
      } while used.contains(NameKey(name))
      numbers[NameKey(base)] = number
      used.insert(NameKey(name))
      return name
    }
  }

  /// The name without a number that was added before.
  private static func base(of name: String) -> Substring {
    guard let colon = name.lastIndex(of: ":") else { return name[...] }
    let digits = name[name.index(after: colon)...]
    return digits.allSatisfy { $0.isASCII && $0.isNumber } ? name[..<colon] : name[...]
  }
}
