internal import Observation
internal import SQLiteCore

/// What a to-one relation knows, whatever its target is.
@usableFromInline
struct OneState: Sendable {
  /// The other's key.
  @usableFromInline var key: StoredKey
  /// The key that the row has in the database.
  @usableFromInline var savedKey: StoredKey
  var owner: RelationOwner?
  /// The owner of the list that the row is in, where that is how the other is known: it holds the list, and is not held by it.
  private var list: RelationOwner?
  /// What else it leads to, and who looks at it.
  private var more = Rare<OneObject>()

  @usableFromInline
  init(key: StoredKey, savedKey: StoredKey = .none) {
    self.key = key
    self.savedKey = savedKey
  }

  // One field after the other: a copy of all would copy a weak reference.

  /// The other, where it is here.
  var object: (any TableModel)? {
    if let list { return list.model }
    guard more.isThere else { return nil }
    return more.held[0].object ?? more.held[0].listOwner
  }
  /// The same, if it is held.
  var heldObject: (any TableModel)? { more.isThere ? more.held[0].object : nil }
  /// The same, if it is not.
  var listOwner: (any Model)? { list?.model ?? (more.isThere ? more.held[0].listOwner : nil) }
  /// Whether all that is known is the key, and nobody looks at it.
  var isPlain: Bool { list == nil && !more.isThere }
  /// Whether the other was asked for, and is gone.
  var isMissing: Bool { more.isThere && more.held[0].isMissing }
  /// Another relation that has taken the place of this one as a property.
  var successor: (any AnyOneRelation)? { more.isThere ? more.held[0].successor : nil }
  var registrar: ObservationRegistrar? {
    get { more.isThere ? more.held[0].registrar : nil }
    set { more[or: OneObject()].registrar = newValue }
  }

  /// The key; that of one that is new is known when that is saved.
  var currentKey: StoredKey {
    mutating get {
      if !key.isUnset { return key }
      if let object, let made = Self.key(of: object) { key = made }
      return key
    }
  }

  private static func key(of object: some TableModel) -> StoredKey? {
    let id = object.id
    return id.isUnset ? nil : StoredKey(id)
  }

  /// Forgets the other.
  mutating func forget() {
    list = nil
    if more.isThere { take(nil) }
  }

  /// Notes that the row is in the list of an owner, which is an instance: that is the other.
  mutating func enter(listOf owner: RelationOwner) {
    forget()
    list = owner
  }

  /// Takes the other, and forgets what was known of it.
  mutating func take(
    _ object: (any TableModel)?, isMissing: Bool = false, listOwner: (any Model)? = nil
  ) {
    list = nil
    more[or: OneObject()].object = object
    more[or: OneObject()].isMissing = isMissing
    more[or: OneObject()].listOwner = listOwner
  }

  /// Gives all that is not in the row to the relation that takes its place as a property.
  mutating func give(to successor: any AnyOneRelation) -> OneState {
    let given = self
    more[or: OneObject()].successor = successor
    more[or: OneObject()].object = nil
    owner = nil
    list = nil
    return given
  }

  /// Takes what the relation had in whose place this is.
  mutating func take(over former: OneState) {
    owner = former.owner ?? owner
    if key == former.key { list = former.list }
    guard former.more.isThere else { return }
    if key == former.key, list == nil {
      take(
        former.more.held[0].object, isMissing: former.isMissing,
        listOwner: former.more.held[0].listOwner)
    }
    registrar = former.registrar
  }
}

/// What a to-one relation leads to.
private struct OneObject: Sendable {
  var object: (any TableModel)?
  var isMissing = false
  /// The other, where that holds this one's row.
  weak var listOwner: (any Model)?
  var successor: (any AnyOneRelation)?
  var registrar: ObservationRegistrar?
}
