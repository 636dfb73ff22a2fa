/// The instances of classes among objects that let their keys be written back.
struct KeyedObjects {
  /// One of them: its number among all objects, and its type.
  struct Place: Sendable {
    let object: Int
    let type: any KeyedDataTable.Type
  }

  let types: [Place]
  private let objects: [any KeyedDataTable & AnyObject]

  init(_ all: [any DataTable]) {
    var types: [Place] = []
    var objects: [any KeyedDataTable & AnyObject] = []
    for (number, object) in all.enumerated() {
      guard let object = object as? any KeyedDataTable & AnyObject else { continue }
      types.append(Place(object: number, type: Swift.type(of: object)))
      objects.append(object)
    }
    self.types = types
    self.objects = objects
  }

  /// Writes the keys of all objects, in their order.
  ///
  /// - Parameter adopted: Takes note of the keys that they had.
  func adopt(_ keys: [any Sendable], notedIn adopted: AdoptedKeys? = nil) {
    for (object, key) in zip(objects, keys) { adopt(key, object, adopted) }
  }

  private func adopt<Object: KeyedDataTable & AnyObject>(
    _ key: any Sendable, _ object: Object, _ adopted: AdoptedKeys?
  ) {
    var object = object
    let old = object.primaryKeyValue
    guard let key = key as? Object.Key, old != key else { return }
    object.primaryKeyValue = key
    adopted?.note {
      var object = object
      object.primaryKeyValue = old
    }
  }
}

/// What saving objects came to.
struct SavedObjects {
  /// The keys of those that were to be saved themselves.
  let keys: [Record.Key]
  fileprivate let keyed: KeyedObjects?
  fileprivate let typed: [any Sendable]

  init(keys: [Record.Key], keyed: KeyedObjects?, typed: [any Sendable]) {
    self.keys = keys
    self.keyed = keyed
    self.typed = typed
  }

  /// Writes the keys back: to be called once all is committed, as far as `access` goes.
  func adopt(by access: some DataAccess) {
    keyed?.adopt(typed, notedIn: (access as? DataTransaction)?.keys)
  }
}
