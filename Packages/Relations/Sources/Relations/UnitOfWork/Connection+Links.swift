internal import SQLiteCore

extension Connection {
  /// Writes the changes of a list. `generatedKeys` contains the keys that SQLite has generated, by step.
  ///
  /// Elements that other connections have added are kept: only removed links are deleted, and only
  /// new links are inserted. Each new link follows the link that it was inserted after, at that
  /// link's current position.
  func write(_ write: LinkWrite, generatedKeys: [Int: Int64]) throws -> LinkChanges {
    guard
      let owner = write.owner
        ?? write.ownerStep.flatMap({ generatedKeys[$0] }).map({ [.integer($0)] })
    else { return LinkChanges() }
    var list = StoredList(
      connection: self, table: write.table, collation: write.collation, owner: owner,
      generatedKeys: generatedKeys)
    if write.onlyAppends {
      let before = try list.lastPosition()
      var changes = LinkChanges()
      try list.append(write.appended, after: before, isShown: write.showsAppended, &changes)
      changes.hasOthers = before.map { $0 > write.lastShown ?? .min } ?? false
      changes.hasOthersBefore = write.showsAppended && changes.hasOthers
      return changes
    }
    return try list.change(write)
  }
}

/// The stored list of one owner.
private struct StoredList {
  let connection: Connection
  let table: LinkTable
  let collation: KeyCollation
  let owner: [SQLiteValue]
  let generatedKeys: [Int: Int64]
  private var links: [Link] = []
  /// A Boolean value that indicates whether ``links`` contains all links of the list.
  private var isComplete = false

  /// A stored link and its relationship to the list in memory.
  private struct Link {
    var position: Int64
    let target: [SQLiteValue]
    /// A Boolean value that indicates whether the link's element is shown by the list in memory.
    var isShown = false
    /// The number of the link's element, if the link is new.
    var number: Int?
    /// The index in ``LinkWrite/kept``, if the list in memory has the link.
    var keptIndex: Int?
  }

  init(
    connection: Connection, table: LinkTable, collation: KeyCollation, owner: [SQLiteValue],
    generatedKeys: [Int: Int64]
  ) {
    self.connection = connection
    self.table = table
    self.collation = collation
    self.owner = owner
    self.generatedKeys = generatedKeys
  }

  private var ownerCondition: String { table.ownerCondition }
  /// The parameter after the owner's parameters.
  private var nextParameter: String { "?\(owner.count + 1)" }

  // MARK: Changes

  mutating func change(_ write: LinkWrite) throws -> LinkChanges {
    var removed = try find(write)
    removed.sort(by: >)
    for place in removed {
      try run(
        "DELETE FROM \(table.quoted) WHERE \(ownerCondition) AND position = \(nextParameter)",
        [.integer(links.remove(at: place).position)])
    }
    for insertion in write.insertions { try insert(insertion) }
    var changes = LinkChanges()
    if !write.appended.isEmpty {
      // The shown links end at or before this position.
      let before = isComplete ? links.last?.position : try lastPosition()
      if !isComplete, let before, before != links.last?.position {
        links.append(Link(position: before, target: []))
      }
      try append(write.appended, after: before, isShown: write.showsAppended, &changes)
    }
    changes.keptPositions = [Int64?](repeating: nil, count: write.kept.count)
    for link in links {
      if let index = link.keptIndex { changes.keptPositions?[index] = link.position }
      if let number = link.number { changes.addedPositions[number] = link.position }
    }
    let last = links.lastIndex { $0.isShown } ?? -1
    changes.hasOthers = links.contains { !$0.isShown }
    changes.hasOthersBefore = last >= 0 && links[..<last].contains { !$0.isShown }
    return changes
  }

  /// Appends elements after all others.
  mutating func append(
    _ elements: [LinkWrite.Element], after last: Int64?, isShown: Bool,
    _ changes: inout LinkChanges
  ) throws {
    var elements = keyed(elements)
    if let last, freePositionCount(after: last) < elements.count {
      try readAll()
      let insertion = LinkWrite.Insertion(after: nil, elements: elements.map(\.element))
      let place = links.count
      try insert(insertion, at: place)
      for index in links.indices {
        if index >= place { links[index].isShown = isShown }
        if let number = links[index].number {
          changes.addedPositions[number] = links[index].position
        }
      }
      return
    }
    var position = last ?? 0
    while !elements.isEmpty {
      let (element, key) = elements.removeFirst()
      position += LinkTable.gap
      try insert(key, at: position)
      changes.addedPositions[element.number] = position
      links.append(Link(position: position, target: key, isShown: isShown, number: element.number))
    }
  }

  /// Returns the number of free positions after a position.
  private func freePositionCount(after position: Int64) -> Int {
    position < 0 ? .max : Int((.max - position) / LinkTable.gap)
  }

  private mutating func insert(_ insertion: LinkWrite.Insertion) throws {
    var place = 0
    var after = insertion.after
    // If the preceding link was deleted, the link before it is used.
    while let index = after {
      if let found = links.firstIndex(where: { $0.keptIndex == index }) {
        place = found + 1
        break
      }
      after = index > 0 ? index - 1 : nil
    }
    // Skip links that were inserted here before.
    while links.indices.contains(place), links[place].number != nil { place += 1 }
    try insert(insertion, at: place)
  }

  private mutating func insert(_ insertion: LinkWrite.Insertion, at place: Int) throws {
    let elements = keyed(insertion.elements)
    if elements.isEmpty { return }
    var free = freePositions(elements.count, at: place)
    if free == nil {
      try renumber()
      free = freePositions(elements.count, at: place)
    }
    for (offset, (element, position)) in zip(elements, free ?? []).enumerated() {
      try insert(element.key, at: position)
      links.insert(
        Link(
          position: position, target: element.key, isShown: true, number: element.element.number),
        at: place + offset)
    }
  }

  private func keyed(
    _ elements: [LinkWrite.Element]
  ) -> [(element: LinkWrite.Element, key: [SQLiteValue])] {
    elements.compactMap { element in
      let key = element.key ?? element.step.flatMap { generatedKeys[$0] }.map { [.integer($0)] }
      return key.map { (element, $0) }
    }
  }

  private func insert(_ key: [SQLiteValue], at position: Int64) throws {
    let columns = (table.ownerColumns + ["position"] + table.targetColumns)
    let names = columns.map { SQLName.quoted($0) }.joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try run(
      "INSERT INTO \(table.quoted) (\(names)) VALUES (\(marks))", [.integer(position)] + key)
  }

  /// Returns positions before the link at an index; `nil` if there are not enough free positions.
  private func freePositions(_ count: Int, at place: Int) -> [Int64]? {
    let last = place > 0 ? links[place - 1].position : nil
    let next = links.indices.contains(place) ? links[place].position : nil
    let gap = LinkTable.gap
    switch (last, next) {
    case (nil, nil): return (0..<count).map { Int64($0 + 1) * gap }
    case (let last?, nil):
      return freePositionCount(after: last) < count
        ? nil : (0..<count).map { last + Int64($0 + 1) * gap }
    case (nil, let next?):
      let (needed, overflow) = Int64(count).multipliedReportingOverflow(by: gap)
      guard !overflow, next > .min + needed else { return nil }
      return (0..<count).map { next - Int64(count - $0) * gap }
    case (let last?, let next?):
      let (width, overflow) = next.subtractingReportingOverflow(last)
      if overflow { return (0..<count).map { last / 2 + next / 2 + Int64($0) } }
      let step = width / Int64(count + 1)
      return step < 1 ? nil : (0..<count).map { last + Int64($0 + 1) * step }
    }
  }

  /// Renumbers the links with equal gaps. They are first moved to positions before all old and new
  /// ones, so that positions are unique at all times.
  private mutating func renumber() throws {
    try readAll()
    try run(
      """
      UPDATE \(table.quoted) SET position = moved.place FROM (
        SELECT position AS former, min(1, (SELECT min(position) FROM \(table.quoted) WHERE \(ownerCondition))) - 1
          - count(*) OVER () + row_number() OVER (ORDER BY position) AS place
        FROM \(table.quoted) WHERE \(ownerCondition)) AS moved
      WHERE \(ownerCondition) AND position = moved.former
      """)
    try run(
      """
      UPDATE \(table.quoted) SET position = moved.place * \(LinkTable.gap) FROM (
        SELECT position AS former, row_number() OVER (ORDER BY position) AS place
        FROM \(table.quoted) WHERE \(ownerCondition)) AS moved
      WHERE \(ownerCondition) AND position = moved.former
      """)
    for place in links.indices { links[place].position = Int64(place + 1) * LinkTable.gap }
  }

  // MARK: Reading

  func lastPosition() throws -> Int64? {
    try connection.value(
      Int64?.self,
      "SELECT max(position) FROM \(unsafe: table.quoted) WHERE \(unsafe: ownerCondition)",
      values: owner) ?? nil
  }

  private func run(_ sql: String, _ more: [SQLiteValue] = []) throws {
    _ = try connection.run(SQL(unsafe: sql), values: owner + more)
  }

  /// Reads the remaining links, which follow the links that were read.
  private mutating func readAll() throws {
    if isComplete { return }
    isComplete = true
    let condition = links.isEmpty ? "" : " AND position > \(nextParameter)"
    // The link of the last position has no target and must be read.
    if links.last?.target.isEmpty == true { links.removeLast() }
    let from = links.last.map { [SQLiteValue.integer($0.position)] } ?? []
    links += try read(links.isEmpty ? "" : condition, from)
  }

  private func read(_ condition: String, _ more: [SQLiteValue]) throws -> [Link] {
    let targets = table.targetColumns.map { SQLName.quoted($0) }.joined(separator: ", ")
    let sql =
      "SELECT position, \(targets) FROM \(table.quoted) WHERE \(ownerCondition)\(condition) ORDER BY position"
    return try connection.rows(SQL(unsafe: sql), values: owner + more).compactMap { row in
      guard case .integer(let position) = row.first else { return nil }
      return Link(position: position, target: Array(row.dropFirst()))
    }
  }

  private var stored: [LinkWrite.StoredLink] {
    links.map { LinkWrite.StoredLink(position: $0.position, target: collation.folded($0.target)) }
  }

  /// Reads the links, and matches them with the links of the list in memory.
  ///
  /// - Returns: The indexes of the removed links.
  private mutating func find(_ write: LinkWrite) throws -> [Int] {
    let greatest = (write.kept + write.removed).map(\.position).max()
    if let greatest {
      // Also reads the next link, which shows whether the list has more links.
      links = try read(
        """
         AND position <= ifnull((SELECT min(position) FROM \(table.quoted) \
        WHERE \(ownerCondition) AND position > \(nextParameter)), \(nextParameter))
        """, [.integer(greatest)])
      isComplete = links.last.map { $0.position <= greatest } ?? true
    }
    var found = LinkMatching(write, in: stored)
    if greatest == nil || !found.isComplete {
      try readAll()
      found = LinkMatching(write, in: stored)
      found.match(write, stored)
    }
    for (index, place) in found.kept.enumerated() {
      guard let place else { continue }
      links[place].keptIndex = index
      links[place].isShown = true
    }
    return found.removed.compactMap(\.self)
  }
}
