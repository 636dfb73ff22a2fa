import Foundation
import Providers
import SQLiteCore

/// The required behaviors of objects.
enum ObjectBehaviours {
  typealias Check = `The required behaviors`.Check

  private static func expect<Value: Equatable>(_ got: Value, _ expected: Value) throws {
    try `The required behaviors`.expect(got, expected)
  }

  static let checks: [String: Check] = [
    "Date property": { provider in
      for seconds in [0, 1_700_000_000.125, 1_719_835_200, -1e9, 1_700_000_000.123_456_7] {
        var moment = Moment()
        moment.date = Date(timeIntervalSince1970: seconds)
        let key = try provider.save(moment)
        let loaded = try provider.getRow(ofType: Moment.self, forPrimaryKeyValue: key)
        try expect(loaded?.date, moment.date)
      }
    },
    "make() with computedInt": { provider in
      try expect(provider.make(Computed.self).id, 1)
      try provider.save([Computed(id: 4), Computed(id: 17)])
      try expect(provider.make(Computed.self).id, 18)
    },
    "autoIncrementingInt first id": { provider in
      try expect(provider.save(Counted()), 1)
      try expect(provider.save(Counted()), 2)
    },
    "save() update return": { provider in
      try expect(provider.save(Computed(id: 5)), 5)
      try expect(provider.save(Computed(id: 5, name: "x")), 5)
      try expect(provider.rowCount(forType: Computed.self), 1)
    },
    "save cross reference then delete parent": { provider in
      var owner = Owner()
      owner.parts.storage = [Computed(id: 1), Computed(id: 2)]
      try provider.save(owner)
      try expect(provider.countRows(inTable: "OwnerParts"), 2)
      try provider.delete(owner)
      try expect(provider.countRows(inTable: "OwnerParts"), 0)
      try expect(provider.rowCount(forType: Computed.self), 2)
    },
    "getRows startingAt:1 limitedTo:0": { provider in
      try provider.save((1...4).map { Computed(id: $0) })
      let rows = try provider.getRows(
        ofType: Computed.self, orderedBy: "id", startingAt: 1, limitedTo: 0)
      try expect(rows.map(\.id), [2, 3, 4])
    },
    "nested transaction / save([T]) inside begin": { provider in
      try provider.beginTransaction()
      try provider.save([Computed(id: 1), Computed(id: 2)])
      try provider.beginTransaction()
      try provider.save([Computed(id: 3)])
      try provider.rollbackTransaction()
      try provider.endTransaction()
      try expect(provider.rowCount(forType: Computed.self), 2)
    },
    "updateTableSchema add column": { provider in
      try provider.execute("CREATE TABLE Versioned (id INTEGER PRIMARY KEY NOT NULL)")
      try provider.execute("INSERT INTO Versioned VALUES (1), (2)")
      try provider.updateTableSchema(Versioned.self)
      try expect(
        provider.query("SELECT id, name FROM Versioned").map(\.values),
        [[1, "of its default"], [2, "of its default"]])
      try expect(provider.tableNames(), ["Versioned"])
    },
    "updateTableSchema dropped property": { provider in
      try provider.registerTableSchema(Versioned.self)
      try provider.execute("ALTER TABLE Versioned ADD COLUMN gone TEXT")
      try provider.execute("INSERT INTO Versioned (id, name, gone) VALUES (1, 'x', 'y')")
      try expect(reports { try provider.updateTableSchema(Versioned.self) }, true)
      try expect(provider.query("SELECT gone FROM Versioned").map(\.values), [["y"]])
    },
    "updateTableSchema changed type": { provider in
      try provider.execute("CREATE TABLE Versioned (id INTEGER PRIMARY KEY NOT NULL, name BLOB)")
      try provider.execute("INSERT INTO Versioned VALUES (1, x'ff00')")
      try expect(reports { try provider.updateTableSchema(Versioned.self) }, true)
      try expect(
        provider.query("SELECT name FROM Versioned").map(\.values), [[.blob([0xFF, 0])]])
    },
    "property named order": { provider in
      var keyword = Keywords()
      keyword.order = 7
      try provider.save(keyword)
      try provider.save(keyword)
      try expect(provider.getRows(ofType: Keywords.self).map(\.order), [7])
    },
    "property named blob/date/text/color/bool": { provider in
      var keyword = Keywords()
      keyword.text = "a text"
      keyword.color = "red"
      keyword.bool = true
      try provider.save(keyword)
      let loaded = try provider.getRow(ofType: Keywords.self, forPrimaryKeyValue: keyword.id)
      try expect(loaded, keyword)
    },
  ]

  /// A Boolean value that indicates whether the differences between a table and its type are
  /// reported.
  private static func reports(_ body: () throws -> SchemaDiff) throws -> Bool {
    do {
      return try !body().description.isEmpty
    } catch let error as ProviderError where error.code == .lossyChange {
      return true
    }
  }

  private struct Moment: DataTable {
    static let primaryKeyType = DataTableKeyType.autoUUIDString
    var id = ""
    var date = Date(timeIntervalSince1970: 0)
  }

  private struct Computed: DataTable {
    static let primaryKeyType = DataTableKeyType.computedInt
    var id = 0
    var name = ""
  }

  private struct Counted: DataTable {
    static let primaryKeyType = DataTableKeyType.autoIncrementingInt
    var id = 0
    var name = ""
  }

  private struct Owner: DataTable {
    var id = 1
    var parts = CrossReference<Computed>(name: "OwnerParts")
  }

  private struct Versioned: DataTable {
    var id = 1
    var name = "of its default"
  }

  private struct Keywords: DataTable, Equatable {
    static let tableName = "group"
    var id = 1
    var order = 0
    var blob = Data([1, 2])
    var date = Date(timeIntervalSince1970: 86_400)
    var text = ""
    var color = ""
    var bool = false
    var select: Int?
  }
}
