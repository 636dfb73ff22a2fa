import Primitives
import Testing

@testable import SQLiteCore

@Suite struct `A text's bytes` {
  /// The first and last bytes of each range in table 3-7 of the Unicode Standard.
  static let edges: [UInt8] = [
    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
    0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
  ]

  @Test(arguments: edges)
  func `are accepted and rejected as by the standard library`(_ first: UInt8) {
    check(at: [0, 15, 16, 79], [first])
    for second in Self.edges {
      check(at: [0, 12, 14, 15, 30, 31, 62, 63, 79], [first, second])
      for third in Self.edges {
        check(at: [Int(third) % 16], [first, second, third])
        guard first >= 0xe0, second >= 0x80, third >= 0x80 else { continue }
        check(at: [13 + Int(third) % 3, 77], [first, second, third])
        for fourth in [0x7f, 0x80, 0xbf, 0xc2] as [UInt8] {
          check(at: [12 + Int(second) % 4], [first, second, third, fourth])
        }
      }
    }
  }

  @Test(arguments: [20_261_121, 3, 1_000_003] as [UInt64])
  func `are accepted and rejected as by the standard library if they are damaged`(_ seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    let letters =
      ["a", "z", "\0", "\u{7f}", "é", "\u{80}", "\u{7ff}", "漢", "\u{800}", "\u{d7ff}"]
      + ["\u{e000}", "\u{ffff}", "🎻", "\u{10000}", "\u{10ffff}"]
    for round in 0..<700 {
      let ascii = round % 3 == 0 ? 40 : 1
      var bytes = (0..<Int.random(in: 0...120, using: &source)).flatMap { _ in
        let index = Int.random(in: 0..<letters.count * ascii, using: &source)
        return Array((letters.indices.contains(index) ? letters[index] : "b").utf8)
      }
      compare(bytes, "seed \(seed)")
      guard !bytes.isEmpty else { continue }
      bytes[Int.random(in: bytes.indices, using: &source)] = UInt8.random(
        in: 0...255, using: &source)
      compare(bytes, "seed \(seed)")
      bytes.removeLast(min(bytes.count, Int.random(in: 0...3, using: &source)))
      compare(bytes, "seed \(seed)")
    }
  }

  /// Checks bytes with and without surrounding ASCII.
  private func check(at offsets: [Int], _ bytes: [UInt8]) {
    compare(bytes)
    for offset in offsets {
      let before = [UInt8](repeating: 0x61, count: offset)
      compare(before + bytes)
      compare(before + bytes + [UInt8](repeating: 0x62, count: 1 + offset % 7))
      compare(before + bytes + [UInt8](repeating: 0x62, count: 66))
    }
  }

  private func compare(_ bytes: [UInt8], _ comment: Comment? = nil) {
    let repaired = String(decoding: bytes, as: UTF8.self)
    let expected = repaired.utf8.elementsEqual(bytes) ? repaired : nil
    let text = String(exactly: bytes.elementSpan)
    // One expectation for all, because there are very many checks.
    guard text != expected || text?.utf8.count != expected?.utf8.count else { return }
    Issue.record("\(bytes) were read as \(text ?? "nothing"). \(comment ?? "")")
  }

  @Test func `are read from columns of every length`() throws {
    let db = try Connection.inMemory()
    for letter in ["a", "é", "漢", "🎻"] {
      for count in 0...70 {
        let text = String(repeating: letter, count: count)
        #expect(try db.value(String.self, "SELECT ?", text) == text)
        let cut = [UInt8](text.utf8.dropLast())
        let isValid = letter == "a" || count == 0
        let read = try? db.value(String.self, "SELECT CAST(? AS TEXT)", cut)
        #expect(read == (isValid ? String(text.dropLast()) : nil))
      }
    }
  }
}
