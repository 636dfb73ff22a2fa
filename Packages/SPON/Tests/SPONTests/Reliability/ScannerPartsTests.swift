import Primitives
import Testing

@testable import SPON

/// A text that arrives in parts is scanned like one that arrives whole.
@Suite struct `Corrupt texts in parts` {
  /// The tokens that a scanner returns, up to the end or to an error.
  struct Found: Equatable {
    var tokens: [[Int]] = []
    var failure: String?
    var level: UInt8 = 0
  }

  /// Scans a text that arrives as a prefix, a longer prefix, and finally as a whole.
  private func scan(_ bytes: [UInt8], cuts: [Int], rules: SPONValue.Rules) -> Found {
    var found = Found()
    var scanner = Scanner(rules: rules, limits: SPONValue.Limits(depth: 40, length: 400))
    var cuts = cuts.makeIterator()
    var count = cuts.next() ?? bytes.count
    do {
      while true {
        let token = try scanner.next(
          in: bytes.elementSpan.extracting(0..<count), isLast: count == bytes.count)
        if token.kind == .incomplete {
          guard count < bytes.count else {
            found.failure = "incomplete at the end"
            return found
          }
          count = cuts.next() ?? bytes.count
          continue
        }
        found.tokens.append([
          Int(token.kind.rawValue), token.start, token.length, token.keyStart, token.keyLength,
          Int(truncatingIfNeeded: token.bits), token.mayHaveEscapes ? 1 : 0,
          token.keyMayHaveEscapes ? 1 : 0, Int(scanner.level),
        ])
        if token.kind == .endOfDocument { return found }
      }
    } catch {
      found.failure = "\(error.code) at \(error.offset)"
      return found
    }
  }

  private func expectSame(_ bytes: [UInt8], every step: Int, _ comment: Comment) {
    for rules in [SPONValue.Rules.standard, .lenient] {
      let whole = scan(bytes, cuts: [], rules: rules)
      for cut in stride(from: 0, through: bytes.count, by: step) {
        #expect(scan(bytes, cuts: [cut], rules: rules) == whole, "\(comment), cut at \(cut)")
      }
      #expect(scan(bytes, cuts: Array(0..<bytes.count), rules: rules) == whole, comment)
    }
  }

  @Test func `The samples are scanned identically for any division`() {
    for (name, text) in SampleDocuments.all {
      expectSame(Array(text.utf8), every: Effort.isFull ? 1 : 61, "\(name)")
    }
  }

  @Test func `Tokens in any order are scanned identically`() {
    let tokens = [
      "@obj", "@obj<", "@obj:T<", "@array[", "@array:2[", ">", "]", "`", "`x`", " ", "\n", ", ",
      "=",
      "a", "!", "!=`", "$=`", "true%", "1!", "~", "?", "<null>?", "&01;", "&u41;", "&ud800;",
      "@spon!=`2` ", "a=", "b!=`2` ", "c$=`x` ", "é", "@", "@ar", "@spon",
    ]
    let seed: UInt64 = 23
    var random = SeededGenerator(seed: seed)
    for index in 0..<Effort.count(40, all: 50_000) {
      let start = random.one(of: ["@obj<", "@array[", "@obj:T<@spon!=`2` ", "@array:2[", ""])
      let count = 1 + random.below(10)
      let text = start + (0..<count).map { _ in random.one(of: tokens) }.joined()
      expectSame(Array(text.utf8), every: 1, "\(text), number \(index) of seed \(seed)")
    }
  }
}
