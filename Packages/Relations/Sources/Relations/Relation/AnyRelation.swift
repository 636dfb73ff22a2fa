internal import SQLiteCore

/// A property of a row that leads to other rows.
protocol AnyRelation: AnyObject, Encodable, Sendable {
  /// What it is in the table.
  var relationKind: RelationKind { get }

  /// Another one that is declared alike, with what its column says.
  func fresh(from row: borrowing SQLiteCore.Row, _ column: ColumnIndex?) throws(SQLiteError)
    -> any AnyRelation

  /// Says whose property it is, and which.
  func attach(_ owner: RelationOwner, _ property: String)

  /// Takes the place of the one that was the property before, with all that is not in the column.
  func takeOver(_ former: any AnyRelation)

  /// Whether it is to be saved.
  var isChanged: Bool { get }
}

/// What a relation is in its owner's table.
enum RelationKind: Sendable {
  /// A foreign key.
  case one(target: any Table.Type, ForeignKeyRules)
  /// Rows of a table of links, in an order.
  case links(target: any Table.Type, LinkRules)
  /// Rows whose foreign key refers to the owner.
  case inverse(target: any Table.Type)
  /// Nothing.
  case none
}

/// How a table of links is declared.
struct LinkRules: Hashable, Sendable {
  var onDeleteTarget: ForeignKeyAction
}

/// Whose property a relation is.
struct RelationOwner: Sendable {
  let session: ModelSession
  /// The instance; `nil` for a value.
  weak var model: (any Model)?
  /// Its table.
  let type: any Table.Type
  /// The key of its row.
  let key: [SQLiteValue]

  init(session: ModelSession, type: any Table.Type, key: [SQLiteValue], model: (any Model)? = nil) {
    self.session = session
    self.type = type
    self.key = key
    self.model = model
  }

  /// The key as it is now: a row that is new gets it as it is saved.
  var currentKey: [SQLiteValue] { model.map { Self.key(of: $0) } ?? key }

  private static func key(of model: some Model) -> [SQLiteValue] { model.value.id.keyValues }
}
