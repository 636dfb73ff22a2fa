import Foundation
import SQLiteCore

/// The model's random choices: the same for each seed.
struct ModelRandom {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func seed() -> UInt64 { generator.next() }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element? {
    elements.randomElement(using: &generator)
  }

  /// Returns one of these words, or an empty string.
  mutating func maybe(_ word: String, in count: Int = 2) -> String { once(in: count) ? word : "" }

  mutating func word(_ words: String...) -> String { pick(words) ?? "" }

  /// Returns some of the elements, at least one, in order.
  mutating func some<Element>(of elements: [Element]) -> [Element] {
    let chosen = elements.filter { _ in once(in: 2) }
    return chosen.isEmpty ? pick(elements).map { [$0] } ?? [] : chosen
  }
}

/// The values that the model writes and searches.
enum ModelValues {
  static let common: [SQLiteValue] = [
    .null, 0, 1, 2, 3, 5, 7, -1, 1.0, 2.5, -0.5, "", "a", "A", "a ", "b", "alpha", "Beta", "1",
    "10", "2.5", .blob([]), .blob([1, 2, 3]), .blob([97]), 9_007_199_254_740_993,
  ]

  /// Values for writes that are rolled back: no observer may ever receive them.
  static let poison: [SQLiteValue] = [
    "poison", "POISON poison", -666_666, .blob(Array("poison".utf8)),
  ]

  static func isPoison(_ value: SQLiteValue) -> Bool {
    switch value {
    case .text(let text): text.lowercased().contains("poison")
    case .integer(let number): number == -666_666
    case .blob(let bytes): bytes == Array("poison".utf8)
    case .null, .real: false
    }
  }
}

/// The number of steps: few in `make test`, ten thousand in `make model`.
enum ModelEffort {
  private static let environment = ProcessInfo.processInfo.environment

  static let isFull = environment["HOLT_MODEL"] == "all"

  /// `HOLT_MODEL_SEED=7` repeats the run of that seed.
  static let seeds: [UInt64] =
    environment["HOLT_MODEL_SEED"].flatMap(UInt64.init).map { [$0] }
    ?? (isFull ? Array(1...4) : [20_261_121])

  /// `HOLT_MODEL_STEPS=3000` sets the number of steps.
  static func steps(_ store: Store) -> Int {
    if let steps = environment["HOLT_MODEL_STEPS"].flatMap(Int.init) { return steps }
    if isFull { return 10_000 }
    return store == .file ? 300 : 150
  }
}
