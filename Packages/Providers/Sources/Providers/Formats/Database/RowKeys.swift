/// The keys of rows, numbered in the order of their first occurrence.
///
/// Most rows have the same keys in the same order. A key is therefore first compared with the key
/// that followed the previous one in an earlier row, and with the one after it, since the expected
/// key may be missing.
struct RowKeys {
  private var keys: [[UInt8]] = []
  private var numbers: [[UInt8]: Int] = [:]
  /// The key that followed each key last, preceded by the first key of a row; -1 if there is none.
  private var successors = [-1]
  /// The previous key in the row; -1 at its beginning.
  private var last = -1

  init(_ keys: [String] = []) {
    for key in keys {
      successors[last + 1] = self.keys.count
      last = add(Array(key.utf8))
    }
    last = -1
  }

  var count: Int { keys.count }

  subscript(number: Int) -> String { String(decoding: keys[number], as: UTF8.self) }

  /// Returns the number of the row's next key; `nil` if there is no such key.
  mutating func number(of key: Span<UInt8>) -> Int? {
    let expected = successors[last + 1]
    if expected >= 0 {
      if Self.isSame(keys[expected], key) {
        last = expected
        return expected
      }
      let next = successors[expected + 1]
      if next >= 0, Self.isSame(keys[next], key) {
        last = next
        return next
      }
    }
    guard let number = numbers[key.array(0..<key.count)] else { return nil }
    follow(number)
    return number
  }

  /// Returns the number of the row's next key, which is added if it is new.
  mutating func numberAdding(_ key: Span<UInt8>) -> Int {
    if let number = number(of: key) { return number }
    let number = add(key.array(0..<key.count))
    follow(number)
    return number
  }

  private mutating func follow(_ number: Int) {
    successors[last + 1] = number
    last = number
  }

  /// Adds a key. Of several equal keys, the first one is found.
  private mutating func add(_ key: [UInt8]) -> Int {
    let number = keys.count
    keys.append(key)
    successors.append(-1)
    if numbers[key] == nil { numbers[key] = number }
    return number
  }

  /// Begins the next row.
  mutating func endRow() { last = -1 }

  private static func isSame(_ key: [UInt8], _ other: Span<UInt8>) -> Bool {
    guard key.count == other.count else { return false }
    for index in 0..<key.count where key[index] != other[index] { return false }
    return true
  }
}
