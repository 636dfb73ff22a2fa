import Relations
import SQLiteCore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct Everything: Table {
  var id = 0
  var genre = Genre.pop
  var stars: Stars?
  var size = Size()
  var sizes: [Size] = []
  var day = Date(timeIntervalSince1970: 0)
  var dayOrNot: Date?
  var data = Data()
  var link: URL?
  var token = UUID()
  var price = Decimal(0)
  var small: Int8 = 0
  var large: UInt32 = 0
  var isOn = true
  var ratio: Float = 0
  var text = ""
}

@Suite struct `Columns of rows` {
  @Test func `store properties of all types`() async throws {
    try await withSession { session in
      var row = Everything()
      row.stars = .two
      row.size = Size(width: 1, height: 2)
      row.sizes = [Size(width: 3), Size(height: 4)]
      row.day = Date(timeIntervalSince1970: 1_000_000.5)
      row.data = Data([0, 1, 255])
      row.link = URL(string: "https://example.org/a?b=c")
      row.price = Decimal(string: "123456789.000000001") ?? 0
      row.small = -128
      row.large = .max
      row.isOn = false
      row.ratio = 0.25
      row.text = "a\u{0}b"
      let saved = try await session.save(row)
      let found = try await session.fetch(Everything.self, saved.id)
      #expect(found == saved)
      #expect(
        try await session.rows("SELECT genre, stars, isOn FROM Everything") == [["pop", 2, 0]])
      #expect(
        try await session.rows("SELECT json_extract(sizes, '$[1].height') FROM Everything") == [[4]]
      )
    }
  }

  @Test func `are declared identically when the metadata is created again`() async throws {
    try await withSession { session in
      try await session.prepare(Everything.self)
      #expect(try await session.schemaChange(for: [Everything.self]).isEmpty)
    }
  }
}
