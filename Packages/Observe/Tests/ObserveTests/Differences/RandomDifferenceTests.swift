import Observe
import Testing

@Suite struct `Differences of random lists` {
  /// The length of a longest increasing subsequence, by brute force.
  static func longestIncreasing(_ numbers: ArraySlice<Int>, above floor: Int = -1) -> Int {
    guard let first = numbers.first else { return 0 }
    let without = longestIncreasing(numbers.dropFirst(), above: floor)
    return first > floor
      ? max(without, 1 + longestIncreasing(numbers.dropFirst(), above: first)) : without
  }

  /// Performs a batch of updates like a list view, which does not know element identities.
  static func batch(_ old: [Item], _ difference: ListDifference<Item>) -> [Item] {
    var list = old
    let leaving = difference.removals + difference.moves.map(\.old)
    for offset in leaving.sorted(by: >) { list.remove(at: offset) }
    let arriving =
      difference.insertions.map { ($0, difference.elements[$0]) }
      + difference.moves.map { ($0.new, old[$0.old]) }
    for (offset, item) in arriving.sorted(by: { $0.0 < $1.0 }) { list.insert(item, at: offset) }
    for pair in difference.updates { list[pair.new] = difference.elements[pair.new] }
    return list
  }

  static func list(of letters: [Character], _ generator: inout SeededGenerator) -> [Item] {
    letters.map { Item(id: $0, text: ["", "'"].randomElement(using: &generator) ?? "") }
  }

  @Test func `convert the old list to the new one, even with duplicate ids`() throws {
    let seed: UInt64 = 20_261_121
    print("differences: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for round in 0..<4_000 {
      let alphabet = Array("abcdefghijklmnopqrstuvwxyz").prefix(2 + round % 25)
      func letters() -> [Character] {
        (0..<Int.random(in: 0...18, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator) ?? "a"
        }
      }
      let old = Self.list(of: letters(), &generator)
      let new = Self.list(of: letters(), &generator)
      let difference = ListDifference(from: old, to: new)
      #expect(try difference.applying(to: old) == new)
      #expect(Self.batch(old, difference) == new)
      // Ids that are in both lists stay, with the smaller number of occurrences.
      let kept = Dictionary(grouping: old, by: \.id).reduce(0) { sum, entry in
        sum + min(entry.value.count, new.count { $0.id == entry.key })
      }
      #expect(old.count - difference.removals.count == kept)
      #expect(new.count - difference.insertions.count == kept)
    }
  }

  @Test func `have the minimal number of moves`() throws {
    let seed: UInt64 = 20_261_122
    print("fewest moves: seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let alphabet = Array("abcdefghij")
      let old = Self.list(
        of: Array(alphabet.shuffled(using: &generator).dropLast(3)), &generator)
      let new = Self.list(
        of: Array(
          alphabet.shuffled(using: &generator).dropLast(Int.random(in: 0...3, using: &generator))),
        &generator)
      let difference = ListDifference(from: old, to: new)
      #expect(Self.batch(old, difference) == new)
      let places = old.compactMap { item in new.firstIndex { $0.id == item.id } }
      let stay = Self.longestIncreasing(places[...])
      #expect(difference.moves.count == places.count - stay)
      let changed = old.filter { item in new.contains { $0.id == item.id && $0 != item } }
      #expect(difference.updates.count == changed.count)
    }
  }

  @Test func `of long lists are computed in limited time`() throws {
    let count = 20_000
    let old = (0..<count).map { Item(id: "x", text: "\($0)") }
    func hashes(_ new: [Item]) throws -> Int {
      var asked = 0
      let difference = ListDifference(from: old, to: new) { item in
        asked += 1
        return item.text
      }
      #expect(try difference.applying(to: old) == new)
      return asked
    }
    // Equal ends: only these are hashed, and those at the boundaries twice.
    var inserted = old
    inserted.insert(Item(id: "y"), at: count / 2)
    #expect(try hashes(inserted) < 2 * count + 10)
    // The worst order: each id is hashed twice.
    #expect(try hashes(old.reversed()) < 2 * count + 10)
    let difference = ListDifference(from: old, to: old.reversed(), by: \.text)
    #expect(difference.moves.count == count - 1)
  }
}
