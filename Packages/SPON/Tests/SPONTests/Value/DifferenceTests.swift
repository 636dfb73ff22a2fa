import SPON
import Testing

@Suite struct `Differences` {
  struct Case: CustomTestStringConvertible, Sendable {
    let old: SPONValue, new: SPONValue, text: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(old: ["a": 1], new: ["a": 1], text: ""),
    Case(old: ["a": 1, "b": 2], new: ["b": 2, "a": 1], text: ""),
    Case(old: ["a": 1], new: ["a": 2], text: "~ a: 1! → 2!"),
    Case(old: 1, new: "x", text: "~ (root): 1! → `x`"),
    Case(old: ["a": 1], new: ["b": 1], text: "- a: 1!\n+ b: 1!"),
    Case(old: [1, 2, 3], new: [1, 3], text: "- [1]: 2!"),
    Case(old: [1, 3], new: [1, 2, 3], text: "+ [1]: 2!"),
    Case(old: [1, 2, 3, 4], new: [2, 3, 4, 5], text: "- [0]: 1!\n+ [3]: 5!"),
    Case(old: [1, 2, 3], new: [1, 9, 3], text: "~ [1]: 2! → 9!"),
    Case(old: [], new: [1, 2], text: "+ [0]: 1!\n+ [1]: 2!"),
    Case(old: [1, 2], new: [], text: "- [1]: 2!\n- [0]: 1!"),
    Case(
      old: ["p": [["n": "a"], ["n": "b"], ["n": "c"]]], new: ["p": [["n": "b"], ["n": "x"]]],
      text: "- p[0]: @obj<n$=`a`>\n~ p[1].n: `c` → `x`"),
    Case(
      old: .object(SPONObject(typeName: "A")), new: .object(SPONObject(typeName: "B")),
      text: ": (root): A → B"),
    Case(
      old: ["k k": .object(SPONObject(typeName: "A"))], new: ["k k": [:]],
      text: #": ["k k"]: A → (no type name)"#),
    Case(old: [:], new: [], text: "~ (root): @obj<> → @array[]"),
    Case(old: .double(0.0), new: .double(-0.0), text: "~ (root): 0.0& → -0.0&"),
    Case(old: .double(.nan), new: .double(.nan), text: ""),
    Case(old: .unsigned(1), new: .integer(1), text: ""),
  ])
  func `contain only the changes`(_ expected: Case) throws {
    let difference = expected.old.difference(to: expected.new)
    #expect(difference.description == expected.text)
    #expect(difference.isEmpty == (expected.old == expected.new))
    #expect(try expected.old.applying(difference) == expected.new)
    #expect(try expected.new.applying(difference.inverted) == expected.old)
  }

  @Test func `applied to the old value produce the new one, and inverted the old one`() throws {
    var random = SeededGenerator(seed: 0xD1FF)
    for round in 0..<1_000 {
      let old = ValueSupport.value(using: &random)
      let new =
        round % 3 == 0
        ? ValueSupport.value(using: &random) : ValueSupport.edited(old, using: &random)
      let difference = old.difference(to: new)
      #expect(difference.isEmpty == (old == new), "seed 0xD1FF, round \(round)")
      #expect(try old.applying(difference) == new, "seed 0xD1FF, round \(round)")
      #expect(try new.applying(difference.inverted) == old, "seed 0xD1FF, round \(round)")
      #expect(difference.inverted.inverted == difference)
    }
  }

  @Test func `of arrays remove and add as few elements as possible`() throws {
    var random = SeededGenerator(seed: 0x1C5)
    for round in 0..<400 {
      let letters = Int64.random(in: 1...4, using: &random)
      func array() -> [Int64] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          Int64.random(in: 0..<letters, using: &random)
        }
      }
      let (old, new) = (array(), array())
      let difference = SPONValue.array(old.map { .integer($0) })
        .difference(to: .array(new.map { .integer($0) }))
      var (kept, removed, added) = (old.count, 0, 0)
      for change in difference.changes {
        switch change {
        case .removed: (kept, removed) = (kept - 1, removed + 1)
        case .added: added += 1
        case .changed: (kept, removed, added) = (kept - 1, removed + 1, added + 1)
        case .typeNameChanged: Issue.record("seed 0x1C5, round \(round)")
        }
      }
      #expect(kept == Self.longestCommon(old, new), "seed 0x1C5, \(old), \(new)")
      #expect(old.count - removed + added == new.count)
    }
  }

  /// Returns the length of the longest common subsequence, by dynamic programming.
  static func longestCommon(_ old: [Int64], _ new: [Int64]) -> Int {
    var row = [Int](repeating: 0, count: new.count + 1)
    for left in old {
      var diagonal = 0
      for (place, right) in new.enumerated() {
        let above = row[place + 1]
        row[place + 1] = left == right ? diagonal + 1 : max(above, row[place])
        diagonal = above
      }
    }
    return row[new.count]
  }

  @Test func `of long arrays take a bounded time`() throws {
    let old = (0..<8_000).map { SPONValue.integer($0) }
    // All elements differ, or all are moved by one.
    let different = old.map { SPONValue.integer(-1 - ($0.int.map(Int64.init) ?? 0)) }
    let moved = Array(old.dropFirst()) + [.null]
    let doubled = old.flatMap { [$0, .bool(true)] }.prefix(8_000)
    let tail = old + different
    for new in [different, moved, Array(doubled), tail, Array(old.suffix(10))] {
      let difference = SPONValue.array(old).difference(to: .array(new))
      #expect(try SPONValue.array(old).applying(difference) == .array(new))
      #expect(try SPONValue.array(new).applying(difference.inverted) == .array(old))
    }
    #expect(SPONValue.array(old).difference(to: .array(moved)).count == 2)
  }

  struct Misfit: CustomTestStringConvertible, Sendable {
    let value: SPONValue, change: SPONValue.Difference.Change, path: SPONPath
    var testDescription: String { "\(change), \(value)" }
  }

  @Test(arguments: [
    Misfit(value: ["a": 1], change: .changed(["a"], from: 2, to: 3), path: ["a"]),
    Misfit(value: ["a": 1], change: .changed(["b"], from: 2, to: 3), path: ["b"]),
    Misfit(value: ["a": 1], change: .changed(["b", "c"], from: 2, to: 3), path: ["b"]),
    Misfit(value: ["a": 1], change: .added(["a"], 1), path: ["a"]),
    Misfit(value: ["a": 1], change: .added(["b", "c"], 1), path: ["b"]),
    Misfit(value: ["a": 1], change: .added([0], 1), path: [0]),
    Misfit(value: [1], change: .added([2], 1), path: [2]),
    Misfit(value: [1], change: .added([-1], 1), path: [-1]),
    Misfit(value: [1], change: .added(["a"], 1), path: ["a"]),
    Misfit(value: 1, change: .added(["a"], 1), path: ["a"]),
    Misfit(value: .null, change: .added(["a"], 1), path: ["a"]),
    Misfit(value: 1, change: .added([], 1), path: []),
    Misfit(value: 1, change: .removed([], 1), path: []),
    Misfit(value: ["a": 1], change: .removed(["a"], 2), path: ["a"]),
    Misfit(value: ["a": 1], change: .removed(["b"], 2), path: ["b"]),
    Misfit(value: [1], change: .removed([1], 1), path: [1]),
    Misfit(value: [1], change: .removed([.index(.min)], 1), path: [.index(.min)]),
    Misfit(value: [1], change: .typeNameChanged([], from: "", to: "A"), path: []),
    Misfit(value: ["a": 1], change: .typeNameChanged([], from: "B", to: "A"), path: []),
  ])
  func `that conflict with a value report the path`(_ expected: Misfit) {
    let error = #expect(throws: SPONError.self) {
      try expected.value.applying(SPONValue.Difference([expected.change]))
    }
    #expect(error?.code == .conflictingDifference)
    #expect(error?.codingPath == expected.path.steps)
  }

  @Test(
    arguments: [
      [.added([2], 1), .added([3], 2)], [.added([5], 1), .added([6], 2)],
      [.removed([1], 1), .removed([0], 1)], [.removed([0], 1), .removed([-1], 1)],
      [.removed([0], 2), .removed([-1], 1)],
      [.added([.index(.max)], 1), .added([.index(.min)], 2)],
      [.removed([.index(.min)], 1), .removed([.index(.max)], 2)],
      [.added(["a", 0], 1), .added(["a", 1], 1)],
      [.changed(SPONPath(Array(repeating: 0, count: 5_000)), from: 1, to: 2)],
    ] as [[SPONValue.Difference.Change]])
  func `of many conflicting changes are rejected`(_ changes: [SPONValue.Difference.Change]) {
    for value in [[], ["b": 1], [[]], 1, .null] as [SPONValue] {
      #expect(throws: SPONError.self) { try value.applying(SPONValue.Difference(changes)) }
    }
  }

  @Test func `of values that are nested too deeply are one change`() throws {
    var (old, new): (SPONValue, SPONValue) = (1, 2)
    for _ in 0..<550 { (old, new) = ([old], [new]) }
    let difference = old.difference(to: new)
    #expect(difference.count == 1)
    #expect(try old.applying(difference) == new)
  }
}
