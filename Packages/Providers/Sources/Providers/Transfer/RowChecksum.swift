internal import Primitives
internal import SQLiteCore

/// A number that two rows have in common where all of their values are the same, and hardly otherwise.
///
/// The sum of those of many rows does not depend on their order. A real number that is an integer counts as one,
/// since a column may store it so.
struct RowChecksum {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func add(_ row: borrowing Row, at index: Int) throws {
    let column = ColumnIndex(index)
    switch try row.storageClass(at: column) {
    case .null: mix(1, 0)
    case .integer: mix(2, UInt64(bitPattern: try row.integer(at: column)))
    case .real:
      let real = try row.real(at: column)
      if let integer = Int64(exactly: real) {
        mix(2, UInt64(bitPattern: integer))
      } else {
        mix(3, real.bitPattern)
      }
    case .text:
      try row.withText(at: column) { add($0, 4) }
    case .blob:
      try row.withBlob(at: column) { add($0, 5) }
    }
  }

  private mutating func add(_ bytes: Span<UInt8>, _ kind: UInt64) {
    mix(kind, UInt64(bytes.count))
    var at = 0
    while at &+ 8 <= bytes.count {
      mix(kind, bytes.word(at: at))
      at &+= 8
    }
    while at < bytes.count {
      mix(kind, UInt64(bytes[at]))
      at &+= 1
    }
  }

  @inline(__always)
  private mutating func mix(_ kind: UInt64, _ bits: UInt64) {
    let product = (value ^ bits).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93 &+ kind << 1)
    value = product.high ^ product.low ^ (kind &* 0xA076_1D64_78BD_642F)
  }
}
