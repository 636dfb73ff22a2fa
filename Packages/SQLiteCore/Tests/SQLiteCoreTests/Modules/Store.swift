import SQLiteCore

/// A module whose tables store keys and values in a dictionary: `key` is unique, `value` must not be NULL.
final class Store: VirtualTable.Module {
  let kind: VirtualTable.ModuleKind
  /// The content of each table by its name.
  var tables: [String: [Int64: Entry]] = [:]
  /// Called when a table is created, connected, destroyed, or freed.
  var onEvent: (String) -> Void = { _ in }

  struct Entry: Equatable {
    var key: String
    var value: SQLiteValue
  }

  init(kind: VirtualTable.ModuleKind = .created) { self.kind = kind }

  func create(_ table: TableName, arguments: [String]) -> Table {
    onEvent("create \(table) \(arguments.joined(separator: "|"))")
    tables[table.name] = [:]
    return Table(self, name: table.name)
  }

  func connect(_ table: TableName, arguments: [String]) -> Table {
    onEvent("connect \(table) \(arguments.joined(separator: "|"))")
    return Table(self, name: table.name)
  }

  final class Table: VirtualTable.TransactionalTable {
    let columns = [
      VirtualTable.Column("key", affinity: .text), VirtualTable.Column("value"),
    ]
    private let store: Store
    private let name: String
    private var original: [Int64: Entry]?
    private var copies: [(number: Int, entries: [Int64: Entry])] = []

    init(_ store: Store, name: String) {
      self.store = store
      self.name = name
    }

    deinit { store.onEvent("free \(name)") }

    private var entries: [Int64: Entry] {
      get { store.tables[name] ?? [:] }
      set { store.tables[name] = newValue }
    }

    func bestIndex(_ info: VirtualTable.IndexInfo) -> VirtualTable.Plan? {
      var plan = VirtualTable.Plan()
      plan.estimatedCost = 1_000
      let byRowID = info.constraints.first {
        $0.column == nil && $0.operator == .equal && $0.isUsable
      }
      if let byRowID {
        plan.use(byRowID, omit: true)
        plan.indexNumber = 1
        plan.estimatedCost = 1
        plan.isUnique = true
      }
      return plan
    }

    func open() -> Cursor { Cursor(entries) }

    func destroy() {
      store.onEvent("destroy \(name)")
      store.tables[name] = nil
    }

    func insert(
      _ values: borrowing FunctionArguments, rowID: RowID?,
      onConflict: VirtualTable.ConflictResolution
    ) throws -> RowID {
      let id = rowID?.rawValue ?? (entries.keys.max() ?? 0) + 1
      try put(try entry(values), at: id, replacing: nil, onConflict)
      return RowID(rawValue: id)
    }

    func update(
      _ rowID: RowID, to newRowID: RowID, _ values: borrowing FunctionArguments,
      onConflict: VirtualTable.ConflictResolution
    ) throws {
      try put(
        try entry(values), at: newRowID.rawValue, replacing: rowID.rawValue, onConflict)
    }

    func delete(_ rowID: RowID) { entries[rowID.rawValue] = nil }

    private func entry(_ values: borrowing FunctionArguments) throws -> Entry {
      guard values.count == 2, case .text(let key) = values[0] else {
        throw SQLiteError(code: .mismatch, message: "a key is a text")
      }
      guard values[1] != .null else {
        throw SQLiteError(code: .constraintNotNull, message: "\(key) has no value")
      }
      return Entry(key: key, value: values[1])
    }

    private func put(
      _ entry: Entry, at id: Int64, replacing old: Int64?,
      _ onConflict: VirtualTable.ConflictResolution
    ) throws {
      let inTheWay = entries.filter { $0.key != old && ($0.key == id || $0.value.key == entry.key) }
      if onConflict != .replace, let (other, taken) = inTheWay.first {
        throw taken.key == entry.key
          ? SQLiteError(code: .constraintUnique, message: "\(entry.key) is taken")
          : SQLiteError(code: .constraintRowID, message: "row \(other) is taken")
      }
      for other in inTheWay.keys { entries[other] = nil }
      if let old { entries[old] = nil }
      entries[id] = entry
    }

    func begin() { original = entries }
    func sync() {}
    func commit() { (original, copies) = (nil, []) }

    func rollback() {
      if let original { entries = original }
      (original, copies) = (nil, [])
    }

    func savepoint(_ number: Int) { copies.append((number, entries)) }
    func release(savepoint number: Int) { copies.removeAll { $0.number >= number } }

    func rollback(toSavepoint number: Int) {
      copies.removeAll { $0.number > number }
      if let copy = copies.last, copy.number == number { entries = copy.entries }
    }
  }

  struct Cursor: VirtualTable.Cursor {
    private let all: [Int64: Entry]
    private var found: [(id: Int64, entry: Entry)] = []
    private var position = 0

    init(_ all: [Int64: Entry]) { self.all = all }

    mutating func filter(
      indexNumber: Int32, indexString: String?, _ arguments: borrowing FunctionArguments
    ) {
      position = 0
      if indexNumber == 1 {
        found = []
        if case .integer(let id) = arguments[0], let entry = all[id] { found = [(id, entry)] }
      } else {
        found = all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      }
    }

    mutating func next() { position += 1 }
    var isAtEnd: Bool { position >= found.count }

    func column(_ column: ColumnIndex) -> SQLiteValue {
      column == 0 ? .text(found[position].entry.key) : found[position].entry.value
    }

    func rowID() -> RowID { RowID(rawValue: found[position].id) }
  }
}
