import SQLiteCore
import Testing

@testable import Observe

@Suite struct `Changes of other engines` {
  private static let layout = ChangeSet.TableLayout(
    columns: [
      .init("id", .integers), .init("name", .text(ordersByBytes: false)),
      .init("code", .text(ordersByBytes: true)), .init("size", .reals), .init("data", .bytes),
      .init("uuid", .caseInsensitiveText), .init("other", .unknown),
    ], computed: ["total"], key: [0])

  private static func row(
    _ id: Int64, name: SQLiteValue? = "a", code: SQLiteValue? = "b", size: SQLiteValue? = 1.5,
    data: SQLiteValue? = .blob([1]), uuid: SQLiteValue? = "ab", other: SQLiteValue? = "x"
  ) -> [SQLiteValue?] {
    [.integer(id), name, code, size, data, uuid, other]
  }

  struct Decision: CustomTestStringConvertible, Sendable {
    let predicate: Region.RowPredicate
    let mayHold: Bool
    var testDescription: String { "\(predicate): \(mayHold)" }
  }

  @Test(arguments: [
    Decision(predicate: .column("id", equals: 1), mayHold: true),
    Decision(predicate: .column("id", equals: 2), mayHold: false),
    Decision(predicate: .column("id", .greater, 0), mayHold: true),
    Decision(predicate: .column("id", .greater, 1), mayHold: false),
    Decision(predicate: .column("id", equals: 1.0), mayHold: true),
    Decision(predicate: .column("id", equals: 2.0), mayHold: false),
    // The engine may round such a number.
    Decision(predicate: .column("id", equals: 2.5), mayHold: true),
    Decision(predicate: .column("id", equals: "2"), mayHold: true),
    Decision(predicate: .column("name", equals: "a"), mayHold: true),
    Decision(predicate: .column("name", equals: "A"), mayHold: false),
    // The order of texts is not known.
    Decision(predicate: .column("name", .less, "a"), mayHold: false),
    Decision(predicate: .column("name", .less, "0"), mayHold: true),
    Decision(predicate: .column("name", .notEqual, "a"), mayHold: false),
    Decision(predicate: .column("code", .less, "0"), mayHold: false),
    Decision(predicate: .column("code", .less, "c"), mayHold: true),
    Decision(predicate: .column("code", equals: 3), mayHold: true),
    Decision(predicate: .column("size", equals: 1.5), mayHold: true),
    Decision(predicate: .column("size", .greater, 2), mayHold: false),
    Decision(predicate: .column("size", .greater, .real(.nan)), mayHold: true),
    Decision(predicate: .column("data", equals: .blob([1])), mayHold: true),
    Decision(predicate: .column("data", equals: .blob([2])), mayHold: false),
    Decision(predicate: .column("uuid", equals: "AB"), mayHold: true),
    Decision(predicate: .column("uuid", equals: "AC"), mayHold: false),
    Decision(predicate: .column("other", equals: "y"), mayHold: true),
    Decision(predicate: .isNull("other"), mayHold: false),
    Decision(predicate: .column("total", equals: 1), mayHold: true),
  ])
  func `are compared to the extent that the engine's result is certain`(_ decision: Decision)
    throws
  {
    let row = ChangeSet.ChangedRow(in: Self.layout, old: nil, new: Self.row(1))
    #expect(decision.predicate.mayHold(for: row, layout: Self.layout) == decision.mayHold)
    let changes = ChangeSet(
      tables: ["t": ChangeSet.TableChange(netOf: [row], layout: Self.layout)])
    #expect(Region.rows(of: "t", where: decision.predicate).overlaps(changes) == decision.mayHold)
    var index = RegionIndex()
    index.insert(1, into: .rows(of: "t", where: decision.predicate))
    #expect(index.affected(by: changes) == (decision.mayHold ? [1] : []))
  }

  @Test func `with an unknown value may satisfy any predicate on it`() {
    let row = ChangeSet.ChangedRow(
      in: Self.layout, old: Self.row(1, name: nil), new: Self.row(1, name: "b"))
    #expect(Region.RowPredicate.column("name", equals: "z").mayHold(for: row, layout: Self.layout))
    #expect(Region.RowPredicate.isNull("name").mayHold(for: row, layout: Self.layout))
    #expect(!Region.RowPredicate.column("id", equals: 2).mayHold(for: row, layout: Self.layout))
    #expect(row.oldValue(of: "name") == nil)
    #expect(row.newValue(of: "name") == "b")
    #expect(row.changedColumns == ["name"])
    #expect(row.description == #"name: ? → "b""#)
  }

  @Test func `that certainly did not change a column are no change of it`() {
    let row = ChangeSet.ChangedRow(
      in: Self.layout, old: Self.row(1, name: nil, data: nil), new: Self.row(1, data: nil),
      unchanged: [4])
    #expect(row.changedColumns == ["name"])
    let change = ChangeSet.TableChange(netOf: [row], layout: Self.layout)
    // A computed column may have changed.
    #expect(change.updatedColumns == ["name", "total"])
    #expect(!Region.columns("t", ["data"]).overlaps(ChangeSet(tables: ["t": change])))
  }

  struct Net: CustomTestStringConvertible, Sendable {
    let name: String
    let rows: [(old: [SQLiteValue?]?, new: [SQLiteValue?]?)]
    let kinds: ChangeSet.TableChange.Kinds
    let count: Int
    var testDescription: String { name }
  }

  @Test(arguments: [
    Net(
      name: "inserted and deleted", rows: [(nil, row(1)), (row(1), nil)], kinds: [], count: 0),
    Net(
      name: "inserted and updated", rows: [(nil, row(1)), (row(1), row(1, name: "b"))],
      kinds: .insert, count: 1),
    Net(
      name: "updated and restored",
      rows: [(row(1), row(1, name: "b")), (row(1, name: "b"), row(1))], kinds: [], count: 0),
    Net(
      name: "updated twice",
      rows: [(row(1), row(1, name: "b")), (row(1, name: "b"), row(1, name: "c"))],
      kinds: .update, count: 1),
    Net(
      name: "deleted and inserted", rows: [(row(1), nil), (nil, row(1, name: "b"))],
      kinds: .update, count: 1),
    Net(
      name: "restored, with unknown old values",
      rows: [
        (row(1, name: nil), row(1, name: "b")), (row(1, name: nil), row(1)),
      ], kinds: .update, count: 1),
    Net(
      name: "two rows", rows: [(nil, row(1)), (nil, row(2)), (row(1), nil)], kinds: .insert,
      count: 1),
  ])
  func `are combined for each key`(_ net: Net) {
    let rows = net.rows.map { ChangeSet.ChangedRow(in: Self.layout, old: $0.old, new: $0.new) }
    let change = ChangeSet.TableChange(netOf: rows, layout: Self.layout)
    #expect(change.kinds == net.kinds)
    #expect(change.rows?.count == net.count)
  }

  @Test func `keep a value that a later update has not changed`() {
    let rows = [
      ChangeSet.ChangedRow(in: Self.layout, old: nil, new: Self.row(1, data: .blob([7]))),
      ChangeSet.ChangedRow(
        in: Self.layout, old: Self.row(1, data: nil), new: Self.row(1, name: "b", data: nil),
        unchanged: [4]),
    ]
    let change = ChangeSet.TableChange(netOf: rows, layout: Self.layout)
    #expect(change.rows?.first?.newValue(of: "data") == .blob([7]))
    #expect(change.rows?.first?.newValue(of: "name") == "b")
  }
}
