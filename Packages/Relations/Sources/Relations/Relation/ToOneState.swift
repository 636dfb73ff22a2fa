internal import Observation
internal import SQLiteCore

/// The state of a to-one relation, independent of the target's type. It is kept small, since each
/// row has one.
@usableFromInline
struct ToOneState: Sendable {
  var owner: RelationOwner?
  private var content = ToOneContent.none
  private var storedKey: StoredKey
  /// A Boolean value that indicates whether `storedKey` is also the key in the database.
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

  /// The target's key.
  var key: StoredKey {
    get { storedKey }
    set {
      let saved = savedKey
      storedKey = newValue
      savedKey = saved
    }
  }

  /// The key in the database.
  var savedKey: StoredKey {
    get { isSaved ? storedKey : otherSavedKey }
    set {
      isSaved = newValue == storedKey
      let other = isSaved ? .none : newValue
      if otherSavedKey != other { change { $0.savedKey = other } }
    }
  }

  /// A Boolean value that indicates whether the key differs from the key in the database.
  var isChanged: Bool { !isSaved && storedKey != savedKey }

  /// Records that the row was read with the current key.
  mutating func markRead() {
    isSaved = true
    if isExtended, otherSavedKey != .none { change { $0.savedKey = .none } }
  }

  private var otherSavedKey: StoredKey {
    if case .extended(let extended) = content { extended.savedKey } else { .none }
  }

  /// The key. The key of a new target becomes available when the target is saved.
  var currentKey: StoredKey {
    mutating get {
      if !storedKey.isUnset { return storedKey }
      if let object, let objectKey = Self.key(of: object) { key = objectKey }
      return storedKey
    }
  }

  private static func key(of object: some TableModel) -> StoredKey? {
    let id = object.id
    return id.isUnset ? nil : StoredKey(id)
  }

  // MARK: Target

  /// The target, if it is loaded.
  var object: (any TableModel)? {
    switch content {
    case .none: nil
    case .object(let box): box.object
    case .list(let owner): owner.model
    case .extended(let extended): extended.object ?? extended.listOwner
    }
  }

  /// The target, if the relation holds a strong reference to it.
  var retainedObject: (any TableModel)? {
    switch content {
    case .none, .list: nil
    case .object(let box): box.object
    case .extended(let extended): extended.object
    }
  }

  /// The target, if the relation holds a weak reference to it.
  var listOwner: (any Model)? {
    switch content {
    case .none, .object: nil
    case .list(let owner): owner.model
    case .extended(let extended): extended.listOwner
    }
  }

  /// A Boolean value that indicates whether the state consists of the key only, without a target or
  /// an observer.
  var hasOnlyKey: Bool { if case .none = content { true } else { false } }
  /// A Boolean value that indicates whether a fetch of the target found no row.
  var isMissing: Bool {
    if case .extended(let extended) = content { extended.isMissing } else { false }
  }
  /// The relation that has replaced this one as a property.
  var successor: (any AnyOneRelation)? {
    if case .extended(let extended) = content { extended.successor } else { nil }
  }
  var registrar: ObservationRegistrar? {
    get { if case .extended(let extended) = content { extended.registrar } else { nil } }
    set { change { $0.registrar = newValue } }
  }

  // MARK: Mutation

  /// Removes the target.
  mutating func removeTarget() { if !hasOnlyKey { setTarget(nil) } }

  /// Makes the owner of a list, which is an instance, the target.
  mutating func setTarget(listOwner owner: RelationOwner) {
    if !isExtended { content = .list(owner) } else { setTarget(nil, listOwner: owner.model) }
  }

  /// Replaces the target.
  mutating func setTarget(
    _ object: (any TableModel)?, isMissing: Bool = false, listOwner: (any Model)? = nil
  ) {
    if !isExtended, !isMissing, listOwner == nil {
      content = object.map { .object(TargetBox($0)) } ?? .none
      return
    }
    change { extended in
      extended.object = object
      extended.isMissing = isMissing
      extended.listOwner = listOwner
    }
  }

  /// Sets a shared target. The state must consist of the key only.
  mutating func setTarget(_ object: TargetBox) { content = .object(object) }

  /// Returns the state for the relation that replaces this one as a property, and redirects this
  /// relation to it.
  mutating func transferState(to successor: any AnyOneRelation) -> ToOneState {
    let transferred = self
    change { extended in
      extended.successor = successor
      extended.object = nil
      extended.listOwner = nil
    }
    owner = nil
    return transferred
  }

  /// Adopts the state of the relation that this one replaces.
  mutating func inheritState(from former: ToOneState) {
    owner = former.owner ?? owner
    if key == former.key {
      switch former.content {
      case .none: break
      case .object(let box): setTarget(box.object)
      case .list(let owner): setTarget(listOwner: owner)
      case .extended(let extended):
        setTarget(
          extended.object, isMissing: extended.isMissing,
          listOwner: extended.listOwner)
      }
    }
    if let watched = former.registrar { registrar = watched }
  }

  // MARK: Extended state

  private var isExtended: Bool { if case .extended = content { true } else { false } }

  private mutating func change(_ body: (inout ToOneExtendedState) -> Void) {
    var extended: ToOneExtendedState
    switch content {
    case .none: extended = ToOneExtendedState()
    case .object(let box): extended = ToOneExtendedState(object: box.object)
    case .list(let owner): extended = ToOneExtendedState(listOwner: owner.model)
    case .extended(let existing): extended = existing
    }
    body(&extended)
    content = .extended(extended)
  }
}

/// A target that many relations share.
final class TargetBox: Sendable {
  let object: any TableModel

  init(_ object: any TableModel) { self.object = object }
}

/// The target and observers of a to-one relation, in the size of one pointer.
private enum ToOneContent: Sendable {
  case none
  case object(TargetBox)
  /// The owner of the list that contains the row. The owner holds the list, so the relation
  /// references it weakly.
  case list(RelationOwner)
  indirect case extended(ToOneExtendedState)
}

/// State that few to-one relations need.
private struct ToOneExtendedState: Sendable {
  var object: (any TableModel)?
  /// The target, if it holds a strong reference to this relation's row.
  weak var listOwner: (any Model)?
  var successor: (any AnyOneRelation)?
  var registrar: ObservationRegistrar?
  var isMissing = false
  /// The key in the database, if it differs.
  var savedKey = StoredKey.none
}
