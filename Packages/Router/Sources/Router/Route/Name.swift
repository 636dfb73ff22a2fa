/// Names as SQLite compares them: byte by byte, letters of ASCII in either case.
///
/// Swift holds texts equal that SQLite tells apart: an `é` of one character and one of two.
extension String {
  func isSameName(as other: String) -> Bool {
    let (a, b) = (utf8, other.utf8)
    guard a.count == b.count else { return false }
    var i = a.startIndex
    for byte in b {
      if a[i] != byte, a[i].small != byte.small { return false }
      i = a.index(after: i)
    }
    return true
  }

  /// Whether the texts are the same byte by byte, case and all.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func hashName(into hasher: inout Hasher) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte.small)) &* 0x100_0000_01b3 }
    hasher.combine(hash)
  }
}

extension UInt8 {
  fileprivate var small: UInt8 { self >= 65 && self <= 90 ? self | 32 : self }
}
