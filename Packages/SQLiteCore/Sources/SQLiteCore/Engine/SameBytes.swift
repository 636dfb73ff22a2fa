#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension String {
  /// Whether two texts are one to SQL, which compares bytes: Swift's `==` holds an `é` of one
  /// character equal to one of two.
  func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (a, b) = (self, other)
    return a.withUTF8 { a in
      b.withUTF8 { b in
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return unsafe first == second || memcmp(first, second, a.count) == 0
      }
    }
  }
}
