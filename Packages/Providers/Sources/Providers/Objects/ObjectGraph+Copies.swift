internal import SQLiteCore

/// Values may be in a graph several times, as copies, or as two instances of one row: each row is written once.
extension ObjectGraph {
  private struct Row: Hashable {
    let type: ObjectIdentifier
    let key: Record.Key
  }

  /// Finds the objects that are one row, and has the first one written for all of them.
  ///
  /// Of those that are to be saved themselves, the last counts, as if they were saved one after another.
  ///
  /// - Throws: ``ProviderError`` with code ``ProviderError/Code/conflictingCopies`` where they differ.
  mutating func uniteCopies() throws(ProviderError) {
    written = Array(objects.indices)
    let keys = objects.map { object in object.plan.givenKey(of: object.values) }
    var known: [Row: Int] = [:]
    known.reserveCapacity(objects.count)
    for root in roots.reversed() {
      guard let key = keys[root] else { continue }
      let row = Row(type: ObjectIdentifier(objects[root].plan.type), key: key)
      if let last = known[row] { written[root] = last } else { known[row] = root }
    }
    for number in objects.indices where written[number] == number {
      guard let key = keys[number] else { continue }
      let row = Row(type: ObjectIdentifier(objects[number].plan.type), key: key)
      guard let first = known[row] else {
        known[row] = number
        continue
      }
      try unite(first, number, keys)
    }
    for number in objects.indices { written[number] = writtenNumber(of: number) }
  }

  private func writtenNumber(of number: Int) -> Int {
    var number = number
    while written[number] != number { number = written[number] }
    return number
  }

  /// Makes two objects one, with all that they have in them.
  private mutating func unite(
    _ first: Int, _ second: Int, _ keys: [Record.Key?]
  ) throws(ProviderError) {
    // With the object whose key is known, for the error: a new one has none.
    var pairs = [(first, second, owner: first)]
    while let (one, other, owner) = pairs.popLast() {
      let one = writtenNumber(of: one)
      let other = writtenNumber(of: other)
      if one == other { continue }
      if keys[one] == keys[other], objects[one].plan === objects[other].plan {
        if isAsLoaded(other, keys) {
          written[other] = one
          continue
        }
        if isAsLoaded(one, keys) {
          written[one] = other
          continue
        }
      }
      let (a, b) = (objects[one], objects[other])
      guard a.plan === b.plan, keys[one] == keys[other],
        // Two new instances are two rows.
        keys[one] != nil || !a.isInstance,
        a.values == b.values, a.references.map(\.column) == b.references.map(\.column),
        a.links.count == b.links.count
      else { throw conflict(owner, keys) }
      written[other] = one
      let next = keys[one] == nil ? owner : one
      for (child, copy) in zip(a.references, b.references) {
        pairs.append((child.object, copy.object, next))
      }
      for place in a.links.indices {
        guard let common = same(a.links[place], b.links[place], keys) else {
          throw conflict(next, keys)
        }
        for (element, copy) in common { pairs.append((element, copy, next)) }
        if b.links[place].saysMore(than: a.links[place]) {
          objects[one].links[place] = b.links[place]
        }
      }
    }
  }

  /// The elements that are in both of two lists; `nil` where the lists do not link the same rows. One may have
  /// loaded what the other has not, or be as it was before the other was changed.
  private func same(_ a: Links, _ b: Links, _ keys: [Record.Key?]) -> [(Int, Int)]? {
    if a.wasChanged != b.wasChanged { return [] }
    if !a.wasChanged, a.isEmpty || b.isEmpty { return [] }
    if a.unloaded == b.unloaded {
      return a.objects.count == b.objects.count ? Array(zip(a.objects, b.objects)) : nil
    }
    var elements: [Record.Key: Int] = [:]
    for element in a.objects {
      guard let key = keys[element] else { return nil }
      elements[key] = element
    }
    var linked = Set(b.unloaded)
    var common: [(Int, Int)] = []
    for element in b.objects {
      guard let key = keys[element] else { return nil }
      linked.insert(key)
      if let same = elements[key] { common.append((same, element)) }
    }
    return linked == Set(elements.keys).union(a.unloaded) ? common : nil
  }

  /// Whether an object was loaded for a reference back to its row, and is as it was: it says nothing of its own.
  private func isAsLoaded(_ number: Int, _ keys: [Record.Key?]) -> Bool {
    let object = objects[number]
    guard let outline = object.outline else { return false }
    var values = object.values
    for reference in object.references {
      guard let key = keys[reference.object] else { return false }
      values[reference.column] = key.first
    }
    return values == outline.values
  }

  private func conflict(_ number: Int, _ keys: [Record.Key?]) -> ProviderError {
    let plan = objects[number].plan
    let key = keys[number].map { " \($0)" } ?? ""
    return ProviderError(
      .conflictingCopies, "two values with the key\(key) are to be saved at once, and differ",
      table: plan.table, column: plan.keyColumn.name)
  }
}

extension ObjectGraph.Links {
  fileprivate func saysMore(than other: Self) -> Bool {
    if wasChanged != other.wasChanged { return wasChanged }
    if isEmpty != other.isEmpty { return other.isEmpty }
    return unloaded.count < other.unloaded.count
  }
}
