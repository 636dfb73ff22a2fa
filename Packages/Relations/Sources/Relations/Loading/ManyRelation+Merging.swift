internal import SQLiteCore

// Merging of rows from the database with the shown rows.
extension ManyRelation.State {
  /// Returns whether the rows are the ones already shown.
  func isShown(_ result: ManyRelation<Target>.ReadResult) -> Bool {
    guard pendingResult == nil, removed.isEmpty, removedLinks.isEmpty else {
      return false
    }
    let shown = elements.filter { $0.position != nil }
    let hasOthers = result.rows.count > shown.count || !result.isComplete
    return hasOthers == hasUnfetched && result.rows.count >= shown.count
      && zip(result.rows, shown).allSatisfy {
        $0.position == $1.position && StoredKey($0.fetched.row.id) == StoredKey($1.object.id)
          && $0.cursor.suffix(metadata.linkKeys).elementsEqual($1.link)
          && ($1.object is any Model || $0.fetched.row == $1.object.row)
      }
  }

  /// Removes and returns the received rows to show; `nil` if no rows were received.
  ///
  /// - Parameter isInverse: Whether the rows refer to the owner.
  mutating func removePendingRefresh(
    isInverse: Bool
  ) -> (refresh: ManyRelation<Target>.PendingRefresh, owner: RelationOwner)? {
    guard let result = pendingResult else { return nil }
    pendingResult = nil
    guard let owner = metadata.owner else { return nil }
    let excluded = Set(
      removed.map { ElementIdentity(position: $0.position, link: [], key: StoredKey($0.id)) })
    let rows = result.rows.filter { !excluded.contains(ElementIdentity($0, linkKeys: 0)) }
    // A row that refers to the owner may have been saved separately; it is shown already.
    let added = isInverse ? (elements.filter { $0.position == nil } + tail).map(\.key) : []
    let addedKeys = Set(added)
    var refresh = ManyRelation<Target>.PendingRefresh(linkKeys: metadata.linkKeys)
    for (found, isShown) in zip(rows, areShown(rows)) {
      if isShown {
        refresh.rows.append(found)
        refresh.hasUnshownRows = refresh.hasOthers
      } else if !addedKeys.contains(StoredKey(found.fetched.row.id)) {
        refresh.hasOthers = true
      }
    }
    refresh.hasOthers = refresh.hasOthers || !result.isComplete
    return (refresh, owner)
  }

  /// Shows the current versions of the shown rows.
  mutating func show(
    _ rows: [ManyRelation<Target>.Element], _ refresh: ManyRelation<Target>.PendingRefresh,
    hasPositions: Bool
  ) {
    preserveShownOrder()
    elements = merged(rows)
    hasUnfetched = refresh.hasOthers
    // A list of links continues after the last shown row. Other lists continue after the last
    // fetched row, even if rows were inserted before it.
    if hasPositions {
      hasUnshownRows = refresh.hasUnshownRows
      cursor = rows.last?.position.map { [.integer($0)] }
    } else if rows.isEmpty {
      cursor = nil
    }
  }

  /// Returns which of the rows are shown. If a row is in the list several times, the shown link is
  /// matched first, and then the number of shown occurrences.
  func areShown(_ rows: [ListQuery<Target>.ListedRow]) -> [Bool] {
    var links: [ElementIdentity: Int] = [:]
    var left: [StoredKey: Int] = [:]
    for element in elements {
      guard let place = ElementIdentity(element) else { continue }
      links[place, default: 0] += 1
      left[place.key, default: 0] += 1
    }
    var isShown = rows.map { found in
      let link = ElementIdentity(found, linkKeys: metadata.linkKeys)
      guard let count = links[link], count > 0 else { return false }
      links[link] = count - 1
      left[link.key, default: 0] -= 1
      return true
    }
    for (place, found) in rows.enumerated() where !isShown[place] {
      let key = StoredKey(found.fetched.row.id)
      guard let count = left[key], count > 0 else { continue }
      left[key] = count - 1
      isShown[place] = true
    }
    return isShown
  }

  /// Returns the rows in their order, merged with unsaved rows: each inserted row follows the row
  /// that it was inserted after, and appended rows follow all others.
  func merged(_ rows: [ManyRelation<Target>.Element]) -> [ManyRelation<Target>.Element] {
    var shown = rows
    let indexes = indexes(in: shown)
    var added: [Int: [ManyRelation<Target>.Element]] = [:]
    var place = -1
    let end = firstAppended
    for (element, found) in zip(elements[..<end], indexes) {
      if element.position == nil {
        added[place, default: []].append(element)
      } else if let found {
        shown[found].number = element.number
        place = found
      }
    }
    var all = added[-1] ?? []
    for (place, element) in shown.enumerated() {
      all.append(element)
      all += added[place] ?? []
    }
    return all + elements[end...]
  }

  /// The index of the first element that was appended, and so follows all other elements.
  var firstAppended: Int {
    let shown = elements.lastIndex { $0.position != nil } ?? -1
    return elements[(shown + 1)...].firstIndex(where: \.isAppended) ?? elements.endIndex
  }

  /// Returns the index of each element in `shown`: the index of the same link, or else of the first
  /// unmatched occurrence of the same row.
  func indexes(in shown: [ManyRelation<Target>.Element]) -> [Int?] {
    var indexes = [Int?](repeating: nil, count: elements.count)
    // Usually no row has moved.
    var start = 0
    while start < Swift.min(elements.count, shown.count),
      let place = ElementIdentity(elements[start]), place == ElementIdentity(shown[start])
    {
      indexes[start] = start
      start += 1
    }
    if start == elements.count { return indexes }
    var links: [ElementIdentity: [Int]] = [:]
    for place in shown.indices[start...].reversed() {
      if let key = ElementIdentity(shown[place]) { links[key, default: []].append(place) }
    }
    var isMatched = [Bool](repeating: false, count: shown.count)
    for index in start..<elements.count {
      guard let key = ElementIdentity(elements[index]), let place = links[key]?.popLast() else {
        continue
      }
      isMatched[place] = true
      indexes[index] = place
    }
    var rows: [StoredKey: [Int]] = [:]
    for place in shown.indices[start...].reversed() where !isMatched[place] {
      rows[shown[place].key, default: []].append(place)
    }
    if rows.isEmpty { return indexes }
    for (index, element) in elements.enumerated()
    where element.position != nil && indexes[index] == nil {
      indexes[index] = rows[element.key]?.popLast()
    }
    return indexes
  }
}

extension ManyRelation {
  /// The first rows of the list, and whether these are all of its rows.
  typealias ReadResult = (rows: [ListQuery<Target>.ListedRow], isComplete: Bool)

  /// The rows that a subscription has read, prepared for display.
  struct PendingRefresh: Sendable {
    let linkKeys: Int
    /// The current versions of the shown rows.
    var rows: [ListQuery<Target>.ListedRow] = []
    /// A Boolean value that indicates whether the list has other rows.
    var hasOthers = false
    /// A Boolean value that indicates whether other rows precede the last shown row.
    var hasUnshownRows = false
  }
}

/// The identity of an element, which distinguishes occurrences of the same row.
struct ElementIdentity: Hashable, Sendable {
  let position: Int64
  let link: [SQLiteValue]
  /// The row's key.
  let key: StoredKey

  init(position: Int64, link: [SQLiteValue], key: StoredKey) {
    self.position = position
    self.link = link
    self.key = key
  }

  init<Target: TableModel>(_ found: ListQuery<Target>.ListedRow, linkKeys: Int) {
    self.init(
      position: found.position, link: Array(found.cursor.suffix(linkKeys)),
      key: StoredKey(found.fetched.row.id))
  }

  /// Creates the identity of an element; `nil` if the element is not saved.
  init?<Target: TableModel>(_ element: ManyRelation<Target>.Element) {
    guard let position = element.position else { return nil }
    self.init(position: position, link: element.link, key: element.key)
  }
}

extension ManyRelation {
  /// Removes deleted rows from the list without recording changes to save.
  ///
  /// - Parameter revision: The session's revision of the deletion. Rows that were read before are
  ///   not shown.
  func applyDeletion(_ type: any Table.Type, _ deletedKeys: KeyMap<Void>, at revision: UInt64) {
    guard type == Target.Row.self else { return }
    let compactRows = withCompactState { compact in
      compact.metadata.version = Swift.max(compact.metadata.version, revision)
      return compact.rows
    }
    if let compactRows,
      !Self.rows(of: compactRows).contains(where: { deletedKeys.contains($0.id.keyValues) })
    {
      return
    }
    let (released, subscription) = with { $0.applyDeletion(deletedKeys, at: revision) }
    withExtendedLifetime(released) {}
    subscription?.requestRefresh(of: self)
  }
}

extension ManyRelation.State {
  /// Removes the rows with deleted keys.
  ///
  /// - Returns: The rows to release after the lock, and the subscription that must read again.
  mutating func applyDeletion(
    _ deletedKeys: KeyMap<Void>, at revision: UInt64
  ) -> ([Target], ListSubscription<Target>?) {
    schedule.recordWrite(at: revision)
    metadata.version += 1
    // The received rows may have been read before the deletion.
    let missed = pendingResult == nil ? nil : subscription
    pendingResult = nil
    guard !elements.isEmpty || !tail.isEmpty else { return ([], missed) }
    preserveShownOrder()
    let all = (elements + tail).map(\.object)
    // A deleted row is removed even if the list's kind does not allow edits.
    elements.removeAll { deletedKeys.contains($0.object.id.keyValues) }
    tail.removeAll { deletedKeys.contains($0.object.id.keyValues) }
    return (all, missed)
  }
}
