import Foundation
import SQLiteCore
import Testing

@Suite struct `A value that is encoded, inserted and decoded` {
  enum Shape: Codable, Equatable {
    case dot, line(Int), box(width: Double, height: Double)
  }

  struct Part: Codable, Equatable {
    var code: String
    var weights: [Double]
    var parts: [Part]
  }

  struct Record: Codable, Equatable {
    var id: Int64
    var small: Int8?
    var medium: UInt16
    var large: UInt64?
    var isOn: Bool
    var maybe: Bool?
    var ratio: Double
    var float: Float?
    var text: String
    var note: String?
    var bytes: [UInt8]
    var data: Data?
    var uuid: UUID
    var shape: Shape
    var part: Part?
    var counts: [String: Int]
    var list: [String?]

    init(using source: inout SeededGenerator) {
      func random<T: FixedWidthInteger>(_: T.Type) -> T {
        T.random(in: .min ... .max, using: &source)
      }
      func text() -> String {
        let letters = Array("aé\0'\"\\/ \u{1F469}\u{200D}\u{1F4BB}\n{}[]")
        return String(
          (0..<Int.random(in: 0...20, using: &source)).map { _ in
            letters.randomElement(using: &source) ?? "a"
          })
      }
      func sometimes<T>(_ make: @autoclosure () -> T) -> T? {
        Bool.random(using: &source) ? make() : nil
      }
      func number() -> Double {
        Double(bitPattern: UInt64.random(in: 0...0x7fef_ffff_ffff_ffff, using: &source))
          * (Bool.random(using: &source) ? 1 : -1)
      }
      func bytes() -> [UInt8] {
        (0..<Int.random(in: 0...9, using: &source)).map { _ in random(UInt8.self) }
      }
      func part(_ depth: Int) -> Part {
        Part(
          code: text(), weights: (0..<depth).map { _ in number() },
          parts: depth == 0 ? [] : [part(depth - 1)])
      }
      id = random(Int64.self)
      small = sometimes(random(Int8.self))
      medium = random(UInt16.self)
      large = sometimes(random(UInt64.self) >> 1)
      isOn = Bool.random(using: &source)
      self.maybe = sometimes(Bool.random(using: &source))
      ratio = number()
      float = sometimes(Float.random(in: -1e30...1e30, using: &source))
      self.text = text()
      note = sometimes(text())
      self.bytes = bytes()
      data = sometimes(Data(bytes()))
      uuid = UUID(
        uuid: (
          random(UInt8.self), 1, 2, 3, random(UInt8.self), 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
          random(UInt8.self)
        ))
      shape =
        switch Int.random(in: 0...2, using: &source) {
        case 0: .dot
        case 1: .line(random(Int.self))
        default: .box(width: number(), height: number())
        }
      self.part = sometimes(part(Int.random(in: 0...3, using: &source)))
      counts = Dictionary(
        (0..<3).map { _ in (text(), random(Int.self)) }, uniquingKeysWith: { a, _ in a })
      list = (0..<3).map { _ in sometimes(text()) }
    }
  }

  static let columns = """
    id, small, medium, large, isOn, maybe, ratio, float, text, note, bytes, data, uuid, shape, part,
    counts, list
    """

  @Test(arguments: [20_261_121, 7, 42] as [UInt64]) func `is unchanged`(_ seed: UInt64) throws {
    var source = SeededGenerator(seed: seed)
    let db = try memory("CREATE TABLE record (\(unsafe: Self.columns))")
    let records = (0..<60).map { _ in Record(using: &source) }
    try db.transaction { try db.insert(encodingEach: records, into: "record") }
    let read = try db.fetchAll(decoding: Record.self, "SELECT * FROM record ORDER BY rowid")
    for (record, read) in zip(records, read) where record != read {
      Issue.record("seed \(seed): \(record) came back as \(read)")
    }
    #expect(read.count == records.count)
    // The table stores the columns that the encoder names.
    let stored = try db.rows("SELECT * FROM record ORDER BY rowid")
    for (record, stored) in zip(records, stored) {
      for (column, stored) in zip(try RowEncoder().encode(record), stored) {
        #expect(column.value == stored, "seed \(seed), column \(column.name)")
      }
    }
  }
}
