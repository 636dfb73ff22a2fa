/// A class with one instance for each row, for as long as somebody holds it.
///
/// ```swift
/// final class Album: Model, @unchecked Sendable {
///   struct Value: Table {
///     static let tableName = "Album"
///     var id: AutoId = 0
///     var name = ""
///     var tracks = ManyRelation<Track>(\.album)
///   }
///   var value: Value
///   init(_ value: Value) { self.value = value }
///   var tracks: ManyRelation<Track> { value.tracks }
/// }
///
/// let album = try await Album.fetchId(7)
/// album.value.name = "Faith"
/// try await Album.saveChanges()
/// ```
///
/// A session keeps what each instance was when it was fetched or saved, and finds by comparing what has changed. An instance
/// that is let go takes changes with it that nobody has told of: where that may be, write
/// `var value: Value { didSet { didChange() } }`, and the session holds it until it is saved.
///
/// The `@Table` macro of HoltMacros writes `value` with a lock around it, the initializer and the properties: the class is then
/// `Sendable` without `@unchecked`.
///
/// A model is written to by whoever uses it, and by the functions that they wait for: fetching, saving, loading and
/// `ModelSession.followChanges()` change it on the actor that calls them. Use the models of one session on one actor, or
/// guard them yourself, as `@unchecked Sendable` says that you do.
public protocol Model: AnyObject, TableModel where Row == Value, ID == Value.ID {
  /// The table's rows.
  associatedtype Value: Table
  override associatedtype ID = Value.ID

  /// The row as it is here.
  var value: Value { get set }

  init(_ value: Value)

  /// How instances are made and saved. There is one for every type.
  static var saving: RowSaving<Value> { get }
}

extension Model {
  @inlinable public static var saving: RowSaving<Value> { RowSaving(Self.self) }

  public var id: Value.ID { value.id }
  public var row: Value { value }
  public init(row: Value) { self.init(row) }

  public static func instance(of fetched: ModelSession.FetchedRow<Value>, in session: ModelSession)
    -> Self
  {
    session.identities(of: Self.self).instance(of: fetched, in: session)
  }

  public static func instances(
    of fetched: ModelSession.FetchedRows<Value>, in session: ModelSession
  ) -> [Self] {
    session.identities(of: Self.self).instances(of: fetched, in: session)
  }
}

/// How the instances of a ``Model`` are made and saved: made where the type is known, so that its code is compiled into the loops
/// over them.
public struct RowSaving<Row: Table>: Sendable {
  /// Adds the instances that a search finds, of which columns alone have changed, to what is saved.
  ///
  /// It stops at one of which more is to be asked, and says no where there are no more. Only for types with
  /// ``Table/properties``.
  @usableFromInline
  let addChanged: @Sendable (inout PlainSearch, inout SaveBuilder) -> Bool
  /// The keys of rows.
  @usableFromInline let keys: @Sendable ([Row]) -> [StoredKey]
  /// Makes the instances of rows that were fetched, and says that the rows' relations, of which it gets the names, are theirs.
  ///
  /// The instances are an array of the model's type.
  @usableFromInline
  let make: @Sendable ([Row], [StoredKey], [String], ModelSession) -> (any Sendable, [Identity])
}

extension RowSaving {
  @inlinable
  init<M: Model>(_ type: M.Type) where M.Value == Row {
    let findChanges = Self.findChanges
    addChanged = { search, builder in
      while let found = search.next() {
        guard let model = found.identity.model as? M, !builder.isAdded(model) else { continue }
        guard let former = found.row as? KeptRow<Row> else { return true }
        let row = KeptRow(model.value)
        guard findChanges(row, former, &search.changes), StoredKey(row.row.id) == search.key else {
          return true
        }
        // It is held by that from here on, and need not be let go here.
        search.add(consume model, row, to: &builder)
      }
      return false
    }
    keys = { rows in rows.map { StoredKey($0.id) } }
    let relations = Row.properties.compactMap(\.setOwner)
    make = { rows, keys, names, session in
      var models: [M] = []
      models.reserveCapacity(rows.count)
      var identities: [Identity] = []
      identities.reserveCapacity(rows.count)
      for place in rows.indices {
        let (row, key) = (rows[place], keys[place])
        let model = M(row)
        models.append(model)
        identities.append(Identity(model, KeptRow(row), key))
        if relations.isEmpty { continue }
        let owner = RelationOwner(session: session, type: Row.self, key: key, model: model)
        for relation in relations.indices {
          relations[relation](row, owner, .none, names[relation])
        }
      }
      return (models, identities)
    }
  }

  /// Adds the columns that have changed of a row; no where more has.
  ///
  /// Each property's code leads on to that of the next: none of it is held while it runs.
  @inlinable
  static var findChanges: @Sendable (KeptRow<Row>, KeptRow<Row>, inout ColumnChanges) -> Bool {
    let properties = Row.properties
    var place = properties.count { $0.isColumn }
    var all: @Sendable (KeptRow<Row>, KeptRow<Row>, inout ColumnChanges) -> Bool = { _, _, _ in
      true
    }
    for property in properties.reversed() {
      if property.isColumn { place -= 1 }
      let (findChange, column, others) = (property.findChange, place, all)
      all = { row, former, changes in
        findChange(row, former, column, &changes) && others(row, former, &changes)
      }
    }
    return all
  }
}
