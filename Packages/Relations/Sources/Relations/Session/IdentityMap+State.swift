extension IdentityMap.State {
  subscript(place: IdentityMap.Place) -> IdentityMap.Entry? {
    get {
      switch place {
      case .keyed(let id): entries[id]
      case .single(let identity): singles[identity]
      }
    }
    set {
      switch place {
      case .keyed(let id): entries[id] = newValue
      case .single(let identity): singles[identity] = newValue
      }
    }
  }

  /// Where the entry of an instance is.
  ///
  /// - Parameter id: The key that the instance has by now.
  mutating func place(of model: M, _ id: M.ID) -> IdentityMap.Place? {
    if entries[id]?.model === model { return .keyed(id) }
    let identity = ObjectIdentifier(model)
    if singles[identity]?.model === model { return .single(identity) }
    // Made once, and kept from then on: most sessions never ask for it.
    let known = keys ?? keysOfInstances()
    keys = known
    // One that has gone may have left its identity to another.
    guard let id = known[identity], entries[id]?.model === model else { return nil }
    return .keyed(id)
  }

  private func keysOfInstances() -> [ObjectIdentifier: M.ID] {
    var keys: [ObjectIdentifier: M.ID] = [:]
    keys.reserveCapacity(entries.count)
    for (id, entry) in entries {
      if let model = entry.model { keys[ObjectIdentifier(model)] = id }
    }
    return keys
  }

  /// Adds an entry under a key.
  mutating func add(_ entry: IdentityMap.Entry, at id: M.ID) {
    var entry = entry
    count += 1
    entry.number = count
    if let model = entry.model { keys?[ObjectIdentifier(model)] = id }
    entries[id] = entry
    sweep()
  }

  /// Adds an entry that has no key.
  mutating func add(_ entry: IdentityMap.Entry, for model: M) {
    var entry = entry
    count += 1
    entry.number = count
    singles[ObjectIdentifier(model)] = entry
    sweep()
  }

  /// Gives an entry the key that its row has by now.
  mutating func move(_ place: IdentityMap.Place, to id: M.ID, _ entry: IdentityMap.Entry) {
    self[place] = nil
    if let model = entry.model { keys?[ObjectIdentifier(model)] = id }
    entries[id] = entry
  }

  /// Takes the key from an entry whose row is gone. It keeps the entry: the instance is not taken for a new one.
  mutating func noteGone(_ place: IdentityMap.Place, isDeleted: Bool = false) {
    guard var entry = self[place] else { return }
    self[place] = nil
    guard let model = entry.model else { return }
    entry.isGone = true
    entry.isDeleted = isDeleted
    entry.held = nil
    singles[ObjectIdentifier(model)] = entry
  }

  /// Forgets what has gone.
  private mutating func sweep() {
    guard entries.count + singles.count > sweepCount else { return }
    entries = entries.filter { $0.value.model != nil }
    singles = singles.filter { $0.value.model != nil }
    keys = nil
    sweepCount = Swift.max(64, 2 * (entries.count + singles.count))
  }
}
