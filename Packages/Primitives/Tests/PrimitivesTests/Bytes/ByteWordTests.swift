import Primitives
import Testing

@Suite struct `A parallel search of eight bytes` {
  /// A reference implementation, which tests one byte at a time.
  private func first(_ bytes: [UInt8], from start: Int) -> (end: Int, seen: UInt8) {
    var (at, seen) = (start, UInt8(0))
    while at < bytes.count, bytes[at] != 0x2C, bytes[at] != 0 {
      seen |= bytes[at]
      at += 1
    }
    return (at, seen)
  }

  @Test(arguments: 0...24) func `has the same result as a search byte by byte`(count: Int) {
    for special in 0...count {
      for byte: UInt8 in [0x2C, 0, 0x80, 0xAC, 0x41] {
        var bytes = Array(repeating: UInt8(0x61), count: count)
        if special < count { bytes[special] = byte }
        for start in 0...count {
          var seen: UInt64 = 0
          let end = bytes.elementSpan.first(from: start, seen: &seen) { word in
            ByteWord.matches(word, ByteWord.filled(0x2C)) | ByteWord.matches(word, 0)
          }
          let expected = first(bytes, from: start)
          #expect(end == expected.end)
          #expect((seen & ByteWord.highs != 0) == (expected.seen & 0x80 != 0))
        }
      }
    }
  }
}
