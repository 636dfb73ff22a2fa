/// A class with one instance for each row, as long as the instance is referenced.
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
/// A session stores the value that each instance had when it was fetched or saved, and detects
/// changes by comparison. Unsaved changes are lost when an instance is released, unless they have
/// been reported. If this can happen, write `var value: Value { didSet { didChange() } }`: the
/// session then retains the instance until it is saved.
///
/// The `@Table` macro of HoltMacros generates `value` with a lock, the initializer and the
/// properties: the class is then `Sendable` without `@unchecked`.
///
/// A model is written by the application and by the functions that it awaits: fetching, saving,
/// loading and `ModelSession.followChanges()` change it on the caller's actor. Use the models of
/// one session on one actor, or synchronize access to them, as required by `@unchecked Sendable`.
public protocol Model: AnyObject, TableModel where Row == Value, ID == Value.ID {
  /// The type of the table's rows.
  associatedtype Value: Table
  override associatedtype ID = Value.ID

  /// The current row.
  var value: Value { get set }

  init(_ value: Value)

  /// The functions that create and save instances. Every type has a default.
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

/// The functions that create and save the instances of a ``Model``. ``Model/saving`` creates them
/// in the type's own module, so that the loops are specialized for it.
public struct RowSaving<Row: Table>: Sendable {
  /// Adds the instances of a scan that have changed columns only to a save.
  ///
  /// It returns `true` at an instance that needs further checks, and `false` at the end of the
  /// scan. Only for types with ``Table/properties``.
  @usableFromInline
  let addChanged: @Sendable (inout ChangedColumnScan, inout UnitOfWork) -> Bool
  /// Returns the keys of rows.
  @usableFromInline let keys: @Sendable ([Row]) -> [StoredKey]
  /// Creates the instances of fetched rows, and sets them as the owners of the rows' relations,
  /// whose names it receives.
  ///
  /// The first result is an array of the model's type.
  @usableFromInline
  let makeInstances:
    @Sendable ([Row], [StoredKey], [String], ModelSession) -> (any Sendable, [Identity])
}

extension RowSaving {
  @inlinable
  init<M: Model>(_ type: M.Type) where M.Value == Row {
    let findChanges = Self.findChanges
    addChanged = { scan, unitOfWork in
      while let found = scan.next() {
        guard let model = found.identity.model as? M, !unitOfWork.isAdded(model) else { continue }
        guard let former = found.row as? RowSnapshot<Row> else { return true }
        let row = RowSnapshot(model.value)
        guard findChanges(row, former, &scan.changes), StoredKey(row.row.id) == scan.key else {
          return true
        }
        // The save now retains the model, so it need not be released here.
        scan.add(consume model, row, to: &unitOfWork)
      }
      return false
    }
    keys = { rows in rows.map { StoredKey($0.id) } }
    let relations = Row.properties.compactMap(\.setOwner)
    makeInstances = { rows, keys, names, session in
      var models: [M] = []
      models.reserveCapacity(rows.count)
      var identities: [Identity] = []
      identities.reserveCapacity(rows.count)
      for place in rows.indices {
        let (row, key) = (rows[place], keys[place])
        let model = M(row)
        models.append(model)
        identities.append(Identity(model, RowSnapshot(row), key))
        if relations.isEmpty { continue }
        let owner = RelationOwner(session: session, type: Row.self, key: key, model: model)
        for relation in relations.indices {
          relations[relation](row, owner, .none, names[relation])
        }
      }
      return (models, identities)
    }
  }

  /// Adds the changed columns of a row; returns `false` if a relation has changed.
  ///
  /// Each property's closure calls the next one, so that no array of closures is retained during a
  /// scan.
  @inlinable
  static var findChanges:
    @Sendable (RowSnapshot<Row>, RowSnapshot<Row>, inout ColumnChanges) -> Bool
  {
    let properties = Row.properties
    var place = properties.count { $0.isColumn }
    var all: @Sendable (RowSnapshot<Row>, RowSnapshot<Row>, inout ColumnChanges) -> Bool = {
      _, _, _ in
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
