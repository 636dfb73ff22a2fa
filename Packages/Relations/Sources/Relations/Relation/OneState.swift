internal import Observation
internal import SQLiteCore

/// What a to-one relation knows, whatever its target is: as little as there is to be known, since there is one for each row.
@usableFromInline
struct OneState: Sendable {
  var owner: RelationOwner?
  private var content = OneContent.none
  private var storedKey: StoredKey
  /// Whether the row has the key in the database, too.
  private var isSaved: Bool

  @usableFromInline
  init(key: StoredKey) {
    storedKey = key
    isSaved = false
  }

  @usableFromInline
  init(savedKey: StoredKey, _ owner: RelationOwner? = nil) {
    storedKey = savedKey
    isSaved = true
    self.owner = owner
  }

  // MARK: Keys

  /// The other's key.
  var key: StoredKey {
    get { storedKey }
    set {
      let saved = savedKey
      storedKey = newValue
      savedKey = saved
    }
  }

  /// The key that the row has in the database.
  var savedKey: StoredKey {
    get { isSaved ? storedKey : otherSavedKey }
    set {
      isSaved = newValue == storedKey
      let other = isSaved ? .none : newValue
      if otherSavedKey != other { change { $0.savedKey = other } }
    }
  }

  /// Whether it is known to be as in the database.
  var isRead: Bool { isSaved }

  /// Whether it leads elsewhere than the row in the database.
  var isChanged: Bool { !isSaved && storedKey != savedKey }

  /// Notes that the row was read with the key.
  mutating func noteRead() {
    isSaved = true
    if isMore, otherSavedKey != .none { change { $0.savedKey = .none } }
  }

  private var otherSavedKey: StoredKey {
    if case .more(let more) = content { more.held[0].savedKey } else { .none }
  }

  /// The key; that of one that is new is known when that is saved.
  var currentKey: StoredKey {
    mutating get {
      if !storedKey.isUnset { return storedKey }
      if let object, let made = Self.key(of: object) { key = made }
      return storedKey
    }
  }

  private static func key(of object: some TableModel) -> StoredKey? {
    let id = object.id
    return id.isUnset ? nil : StoredKey(id)
  }

  // MARK: The other

  /// The other, where it is here.
  var object: (any TableModel)? {
    switch content {
    case .none: nil
    case .object(let held): held.object
    case .list(let owner): owner.model
    case .more(let more): more.held[0].object ?? more.held[0].listOwner
    }
  }

  /// The same, if it is held.
  var heldObject: (any TableModel)? {
    switch content {
    case .none, .list: nil
    case .object(let held): held.object
    case .more(let more): more.held[0].object
    }
  }

  /// The same, if it is not.
  var listOwner: (any Model)? {
    switch content {
    case .none, .object: nil
    case .list(let owner): owner.model
    case .more(let more): more.held[0].listOwner
    }
  }

  /// Whether all that is known is the key, and nobody looks at it.
  var isPlain: Bool { if case .none = content { true } else { false } }
  /// Whether the other was asked for, and is gone.
  var isMissing: Bool {
    if case .more(let more) = content { more.held[0].isMissing } else { false }
  }
  /// Another relation that has taken the place of this one as a property.
  var successor: (any AnyOneRelation)? {
    if case .more(let more) = content { more.held[0].successor } else { nil }
  }
  var registrar: ObservationRegistrar? {
    get { if case .more(let more) = content { more.held[0].registrar } else { nil } }
    set { change { $0.registrar = newValue } }
  }

  // MARK: Changing it

  /// Forgets the other.
  mutating func forget() { if !isPlain { take(nil) } }

  /// Notes that the row is in the list of an owner, which is an instance: that is the other.
  mutating func enter(listOf owner: RelationOwner) {
    if !isMore { content = .list(owner) } else { take(nil, listOwner: owner.model) }
  }

  /// Takes the other, and forgets what was known of it.
  mutating func take(
    _ object: (any TableModel)?, isMissing: Bool = false, listOwner: (any Model)? = nil
  ) {
    if !isMore, !isMissing, listOwner == nil {
      content = object.map { .object(HeldObject($0)) } ?? .none
      return
    }
    change { more in
      more.object = object
      more.isMissing = isMissing
      more.listOwner = listOwner
    }
  }

  /// Takes the other, which others hold too, where nothing is known but the key.
  mutating func take(_ object: HeldObject) { content = .object(object) }

  /// Gives all that is not in the row to the relation that takes its place as a property.
  mutating func give(to successor: any AnyOneRelation) -> OneState {
    let given = self
    change { more in
      more.successor = successor
      more.object = nil
      more.listOwner = nil
    }
    owner = nil
    return given
  }

  /// Takes what the relation had in whose place this is.
  mutating func take(over former: OneState) {
    owner = former.owner ?? owner
    if key == former.key {
      switch former.content {
      case .none: break
      case .object(let held): take(held.object)
      case .list(let owner): enter(listOf: owner)
      case .more(let more):
        take(
          more.held[0].object, isMissing: more.held[0].isMissing,
          listOwner: more.held[0].listOwner)
      }
    }
    if let watched = former.registrar { registrar = watched }
  }

  // MARK: What few relations have

  private var isMore: Bool { if case .more = content { true } else { false } }

  private mutating func change(_ body: (inout OneMore) -> Void) {
    var more = Rare<OneMore>()
    switch content {
    case .none: break
    case .object(let held): more[or: OneMore()].object = held.object
    case .list(let owner): more[or: OneMore()].listOwner = owner.model
    case .more(let known): more = known
    }
    // There is one of it, which is changed where it stands.
    content = .none
    body(&more[or: OneMore()])
    content = .more(more)
  }
}

/// What many relations lead to.
final class HeldObject: Sendable {
  let object: any TableModel

  init(_ object: any TableModel) { self.object = object }
}

/// What a to-one relation leads to, and who looks at it: one pointer.
private enum OneContent: Sendable {
  case none
  case object(HeldObject)
  /// The owner of the list that the row is in: it holds the list, and is not held by it.
  case list(RelationOwner)
  case more(Rare<OneMore>)
}

/// All that a to-one relation may know.
private struct OneMore: Sendable {
  var object: (any TableModel)?
  /// The other, where that holds this one's row.
  weak var listOwner: (any Model)?
  var successor: (any AnyOneRelation)?
  var registrar: ObservationRegistrar?
  var isMissing = false
  /// The key that the row has in the database, where that is another one.
  var savedKey = StoredKey.none
}
