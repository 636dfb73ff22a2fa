import Foundation
import SPON
import Testing

/// A type that uses most features of types.
enum Model {
  struct Leaf: Codable, Equatable {
    var flag: Bool, text: String, number: Int, small: Int8, big: UInt64, real: Double, short: Float
    var maybe: Int?, maybeText: String?
  }

  enum Choice: Codable, Equatable {
    case none, number(Int), leaf(Leaf), named(name: String, list: [Double])
    indirect case nested(Choice, Choice?)
  }

  enum Kind: String, Codable, CaseIterable { case one, two = "second kind", three = "`3`" }

  struct Tree: Codable, Equatable {
    var name: String, kind: Kind, leaves: [Leaf], choice: Choice, children: [Tree]
    var byName: [String: Leaf], byNumber: [Int: [String]], grid: [[Int?]]
    var id: UUID, link: URL?, data: Data, date: Date, kinds: Set<String>, wide: Pair<Int, [Bool]>
  }

  struct Pair<First: Codable & Equatable, Second: Codable & Equatable>: Codable, Equatable {
    var first: First, second: Second
  }

  class Animal: Codable, Equatable {
    var name: String
    init(name: String) { self.name = name }
    static func == (left: Animal, right: Animal) -> Bool { left.name == right.name }
  }

  final class Cat: Animal {
    var lives: [Int]
    init(name: String, lives: [Int]) {
      self.lives = lives
      super.init(name: name)
    }
    enum CodingKeys: CodingKey { case lives, list }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try container.encode(lives.count, forKey: .lives)
      try super.encode(to: container.superEncoder())
      for life in lives { try list.encode(life) }
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      var list = try container.nestedUnkeyedContainer(forKey: .list)
      lives = []
      while !list.isAtEnd { lives.append(try list.decode(Int.self)) }
      try super.init(from: container.superDecoder())
    }
    static func == (left: Cat, right: Cat) -> Bool {
      left.name == right.name && left.lives == right.lives
    }
  }
}

/// Creates random values of ``Model``.
struct RandomModels {
  var values: RandomValues
  init(seed: UInt64) { values = RandomValues(seed: seed) }

  mutating func list<Element>(_ most: Int, _ make: (inout Self) -> Element) -> [Element] {
    (0..<values.random.below(most + 1)).map { _ in make(&self) }
  }

  mutating func maybe<Element>(_ make: (inout Self) -> Element) -> Element? {
    values.random.once(in: 2) ? nil : make(&self)
  }

  mutating func number() -> Int {
    Int(Int64(bitPattern: values.random.next()) >> Int64(values.random.below(64)))
  }

  mutating func real() -> Double {
    let value = Double(bitPattern: values.random.next())
    return value.isFinite && values.random.once(in: 2) ? value : Double(number()) / 1_000
  }

  mutating func leaf() -> Model.Leaf {
    Model.Leaf(
      flag: values.random.once(in: 2), text: values.text(), number: number(),
      small: Int8(truncatingIfNeeded: number()), big: values.random.next(), real: real(),
      short: Float(number()) / 8, maybe: maybe { $0.number() },
      maybeText: maybe { $0.values.text() })
  }

  mutating func choice(_ depth: Int) -> Model.Choice {
    switch values.random.below(depth > 0 ? 5 : 4) {
    case 0: .none
    case 1: .number(number())
    case 2: .leaf(leaf())
    case 3: .named(name: values.text(), list: list(3) { $0.real() })
    default: .nested(choice(depth - 1), maybe { $0.choice(depth - 1) })
    }
  }

  mutating func tree(_ depth: Int) -> Model.Tree {
    Model.Tree(
      name: values.text(), kind: values.random.one(of: Model.Kind.allCases),
      leaves: list(2) { $0.leaf() }, choice: choice(3),
      children: depth > 0 ? list(2) { $0.tree(depth - 1) } : [],
      byName: Dictionary(list(3) { ($0.values.text(), $0.leaf()) }) { first, _ in first },
      byNumber: Dictionary(list(3) { ($0.number(), $0.list(2) { $0.values.text() }) }) { one, _ in
        one
      },
      grid: list(2) { $0.list(3) { $0.maybe { $0.number() } } },
      id: UUID(uuid: uuid()),
      link: URL(string: "https://example.org/\(values.random.below(99))?a=b"),
      data: Data(values.random.bytes(values.random.below(9))),
      date: Date(
        timeIntervalSinceReferenceDate: Double(values.random.below(2_000_000_000)) / 8 + 1),
      kinds: Set(list(3) { "k\($0.number())" }),
      wide: Model.Pair(first: number(), second: list(3) { $0.values.random.once(in: 2) }))
  }

  private mutating func uuid() -> uuid_t {
    var id = UUID().uuid
    id.0 = UInt8(values.random.below(256))
    return id
  }
}

@Suite struct `Random values of rich types` {
  @Test func `survive a round trip, with the same result as JSON`() throws {
    let seed: UInt64 = 1_130
    print("seed \(seed)")
    var models = RandomModels(seed: seed)
    var sorted = SPONEncoder()
    sorted.outputFormatting = [.sortedKeys, .prettyPrinted]
    for _ in 0..<Effort.count(40, all: 2_000) {
      let tree = models.tree(2)
      let text = try SPONEncoder().encode(tree)
      let back = try SPONDecoder().decode(Model.Tree.self, from: text)
      #expect(back == tree)
      let json = try JSONDecoder().decode(Model.Tree.self, from: JSONEncoder().encode(tree))
      #expect(back == json)
      // With another order of keys, pretty-printed, and as a tree.
      #expect(try SPONDecoder().decode(Model.Tree.self, from: sorted.encode(tree)) == tree)
      let value = models.values.shuffled(try SPONEncoder().value(of: tree))
      #expect(try SPONDecoder().decode(Model.Tree.self, from: value) == tree)
      #expect(try value == SPONValue(parsing: text))
    }
  }

  @Test func `survive a round trip with snake case`() throws {
    let seed: UInt64 = 1_131
    print("seed \(seed)")
    var models = RandomModels(seed: seed)
    var encoder = SPONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dataEncodingStrategy = .deferredToData
    var decoder = SPONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dataDecodingStrategy = .deferredToData
    for _ in 0..<Effort.count(20, all: 1_000) {
      let tree = models.tree(1)
      #expect(try decoder.decode(Model.Tree.self, from: encoder.encode(tree)) == tree)
    }
  }

  @Test func `of classes survive a round trip`() throws {
    var models = RandomModels(seed: 1_132)
    for _ in 0..<20 {
      let cats = models.list(4) {
        Model.Cat(name: $0.values.text(), lives: $0.list(3) { $0.number() })
      }
      #expect(try SPONDecoder().decode([Model.Cat].self, from: SPONEncoder().encode(cats)) == cats)
    }
  }

  @Test func `are read identically from damaged texts in all ways`() throws {
    let seed: UInt64 = 1_133
    print("seed \(seed)")
    var models = RandomModels(seed: seed)
    for _ in 0..<Effort.count(10, all: 500) {
      let bytes = try SPONEncoder().bytes(of: models.tree(1))
      for _ in 0..<20 {
        var damaged = bytes
        damaged[models.values.random.below(bytes.count)] = models.values.random.one(
          of: Array("<>[]=,`!$&?~1x ".utf8))
        do {
          _ = try SPONDecoder().decode(Model.Tree.self, from: damaged)
        } catch let error as SPONError {
          #expect(error.position != nil, "\(error)")
        }
      }
    }
  }
}
