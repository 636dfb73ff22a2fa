import Providers
import SQLiteCore
import Testing

@Suite struct Records {
  let record: Record = Record(["id": 1, "Name": "Milk", "note": nil, "id": 2.5])

  @Test func `keep their columns in order, and several of a name`() {
    #expect(record.columns == ["id", "Name", "note", "id"])
    #expect(record.values == [1, "Milk", nil, 2.5])
    #expect(record.map(\.column) == record.columns)
    #expect(record[3] == 2.5)
  }

  @Test func `find columns by name, ignoring case`() {
    #expect(record["id"] == .integer(1))
    #expect(record["NAME"] == .text("Milk"))
    #expect(record["note"] == .some(.null))
    #expect(record["other"] == nil)
    // Names are compared byte by byte, ignoring the case of ASCII letters.
    #expect(Record(["é": 1])["e\u{301}"] == nil)
  }

  @Test func `are equal if columns and values are`() {
    let same = Record(["id": 1, "Name": "Milk", "note": nil, "id": 2.5])
    #expect(record == same && record.hashValue == same.hashValue)
    #expect(record != Record(["id": 1, "Name": "Milk", "note": nil, "other": 2.5]))
    #expect(record.description == "id: 1, Name: 'Milk', note: NULL, id: 2.5")
  }
}

@Suite struct `Sets of records` {
  let records = RecordSet(
    columns: ["id", "name", "data"],
    rows: [[1, "Milk", .blob([1, 2])], [12, "Two\nlines", nil], [nil, "Bread", .blob([])]])

  @Test func `are collections of records`() {
    #expect(records.count == 3)
    #expect(records[1]["name"] == .text("Two\nlines"))
    #expect(records.last?["id"] == .some(.null))
    #expect(records["name"] == .text("Milk"))
    #expect(RecordSet(columns: ["a"])["a"] == nil)
    #expect(RecordSet(columns: ["a"]).columns == ["a"])
    #expect(
      records != RecordSet(columns: ["id", "name", "other"], rows: Array(records.map(\.values))))
  }

  @Test func `are printed as tables`() {
    #expect(
      records.description == """
          id | name      | data
        -----|-----------|--------
           1 | Milk      | 2 bytes
          12 | Two lines | NULL
        NULL | Bread     | 0 bytes
        """)
    #expect(
      records.table(maximumRows: 1, maximumWidth: 3) == """
        id | na… | da…
        ---|-----|--------
         1 | Mi… | 2 bytes
        … and 2 more
        """)
    #expect(RecordSet(columns: ["a"]).description == "a\n-")
    #expect(RecordSet(columns: []).description == "no columns")
  }
}
