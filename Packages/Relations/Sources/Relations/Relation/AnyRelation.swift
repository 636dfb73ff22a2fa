internal import SQLiteCore

/// A property of a row that leads to other rows.
protocol AnyRelation: AnyObject, Encodable, Sendable {
  /// What it is in the table.
  var relationKind: RelationKind { get }

  /// Another one that is declared alike, with what its column says, or the columns that begin with its property's name.
  func fresh(
    from row: borrowing SQLiteCore.Row, _ column: ColumnIndex?, _ property: String
  ) throws(SQLiteError) -> any AnyRelation

  /// Notes that it was made of a row as that is in the database.
  func noteRead()

  /// Says whose property it is, and which.
  func attach(_ owner: RelationOwner, _ property: String)

  /// Takes the place of the one that was the property before, with all that is not in the column.
  func takeOver(_ former: any AnyRelation)

  /// Whether it is to be saved.
  var isChanged: Bool { get }

  // Asked for each row that is saved, where looking whether it conforms to a protocol would take longer than all else.

  /// This, where it is a to-one relation.
  var asOne: (any AnyOneRelation)? { get }
  /// This, where it is a list.
  var asList: (any AnyManyRelation)? { get }
}

extension AnyRelation {
  func noteRead() {}
  var asOne: (any AnyOneRelation)? { nil }
  var asList: (any AnyManyRelation)? { nil }
}

/// What a relation is in its owner's table.
enum RelationKind: Sendable {
  /// A foreign key.
  case one(target: any Table.Type, ForeignKeyRules)
  /// Rows of a table of links, in an order.
  case links(target: any Table.Type, LinkRules)
  /// Rows whose foreign key refers to the owner.
  case inverse(target: any Table.Type)
  /// Rows that are reached by others.
  case path(tables: [any Table.Type])
  /// Nothing.
  case none
}

/// How a table of links is declared.
struct LinkRules: Hashable, Sendable {
  var onDeleteTarget: ForeignKeyAction
}
