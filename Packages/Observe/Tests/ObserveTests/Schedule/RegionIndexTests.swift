import SQLiteCore
import Testing

@testable import Observe

@Suite struct `The region index` {
  static func layout(_ columns: String) throws -> ChangeSet.TableLayout {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE t (\(unsafe: columns))")
    return try #require(
      ChangeSet.TableLayout(try connection.columns(of: "t"), isWithoutRowID: false))
  }

  /// A change of one row for each pair of values.
  static func change(
    _ layout: ChangeSet.TableLayout, _ rows: [(old: [SQLiteValue]?, new: [SQLiteValue]?)]
  ) -> ChangeSet {
    let changed = rows.enumerated().map { number, row in
      var updated: [Int] = []
      if let old = row.old, let new = row.new {
        updated = layout.columns.indices.filter { old[$0] != new[$0] }
      }
      return ChangeSet.ChangedRow(
        key: .rowID(RowID(rawValue: Int64(number))), columns: layout.columns, old: row.old,
        new: row.new, changed: updated)
    }
    return ChangeSet(tables: ["t": ChangeSet.TableChange(changed, layout: layout)])
  }

  @Test func `looks up rows by a value, independent of other observers`() throws {
    let layout = try Self.layout("team, score")
    var index = RegionIndex()
    var equalityIndex = EqualityIndex()
    for team in 0..<1_000 {
      let value = SQLiteValue.integer(Int64(team))
      index.insert(
        UInt64(team),
        into: .rows(of: "t", where: .column("team", equals: value) && .column("score", .greater, 5))
      )
      equalityIndex.insert(UInt64(team), values: [value])
    }
    let move = Self.change(layout, [([7, 10], [8, 10]), ([9, 0], [9, 1]), (nil, [nil, 9])])
    #expect(index.affected(by: move) == [7, 8])
    equalityIndex.prepare(for: "team", in: layout)
    var candidates: [UInt64] = []
    for row in try #require(move.tables["t"]?.rows) {
      equalityIndex.forEachCandidate(of: row, in: layout) { candidates.append($0) }
    }
    #expect(Set(candidates) == [7, 8, 9])
    #expect(candidates.count <= 6)
  }

  @Test func `finds all observers of a table if a commit's rows are unknown`() throws {
    var index = RegionIndex()
    index.insert(1, into: .rows(of: "t", where: .column("a", equals: 1), reading: ["b"]))
    index.insert(2, into: .rows(of: "t", where: .rowIDs([1])))
    index.insert(3, into: .table("u"))
    let rows = ChangeSet(tables: ["t": ChangeSet.TableChange(kinds: .insert)])
    #expect(index.affected(by: rows) == [1, 2])
    let updated = ChangeSet.TableChange(kinds: .update, updatedColumns: ["c"])
    #expect(index.affected(by: ChangeSet(tables: ["t": updated])) == [2])
    #expect(index.affected(by: ChangeSet(schemaChanged: true)) == [1, 2, 3])
  }

  @Test func `compares again when a column's collation has changed`() throws {
    var index = RegionIndex()
    index.insert(1, into: .rows(of: "t", where: .column("a", equals: "ABC")))
    let binary = try Self.layout("a"), noCase = try Self.layout("a COLLATE NOCASE")
    #expect(index.affected(by: Self.change(binary, [(nil, ["abc"])])) == [])
    #expect(index.affected(by: Self.change(noCase, [(nil, ["abc"])])) == [1])
    #expect(index.affected(by: Self.change(binary, [(nil, ["abc"])])) == [])
    #expect(index.affected(by: Self.change(try Self.layout("b"), [(nil, ["x"])])) == [1])
  }

  static let values: [SQLiteValue] = [
    .null, 0, 1, 2, 1.0, 2.5, "1", " 1", "a", "A", "a ", "1.0", .blob([49]), "\u{fffd}",
  ]

  static func region(_ generator: inout SeededGenerator) -> Region {
    func value() -> SQLiteValue { values.randomElement(using: &generator) ?? .null }
    func predicate() -> Region.RowPredicate {
      let column: Region.ColumnName = Bool.random(using: &generator) ? "a" : "B"
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return .column(column, .less, value())
      case 1: return .column(column, in: [value(), value()])
      case 2: return .rowIDs([RowID(rawValue: .random(in: 0..<4, using: &generator))])
      case 3: return .column(column, equals: value()) || .isNull("a")
      default: return .column(column, equals: value())
      }
    }
    if Int.random(in: 0..<12, using: &generator) == 0 { return .columns("t", ["a"]) }
    let one = predicate()
    let both = Bool.random(using: &generator) ? one && predicate() : one
    return .rows(of: "t", where: both, reading: Bool.random(using: &generator) ? .all : [])
  }

  @Test func `finds the same observers as a linear search`() throws {
    let seed: UInt64 = 20_261_121
    print("index: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    let layouts = try ["a, b", "a TEXT, b INTEGER", "a TEXT COLLATE NOCASE, b COLLATE RTRIM", "b"]
      .map { try Self.layout($0) }
    var index = RegionIndex()
    var regions: [UInt64: Region] = [:]
    for step in 0..<600 {
      let id = UInt64.random(in: 0..<60, using: &generator)
      if let region = regions.removeValue(forKey: id) {
        index.remove(id, from: region)
      } else {
        regions[id] = Self.region(&generator)
        index.insert(id, into: regions[id] ?? .nothing)
      }
      let layout = layouts[step / 50 % layouts.count]
      func image() -> [SQLiteValue]? {
        if Int.random(in: 0..<4, using: &generator) == 0 { return nil }
        return layout.columns.map { _ in Self.values.randomElement(using: &generator) ?? .null }
      }
      let rows = (0..<Int.random(in: 1...3, using: &generator)).map { _ in (image(), image()) }
      let change = Self.change(layout, rows.filter { $0.0 != nil || $0.1 != nil })
      let expected = regions.filter { $0.value.overlaps(change) }.map(\.key).sorted()
      #expect(index.affected(by: change) == expected)
    }
  }
}
