import Foundation
import SPON
import Testing

@Suite struct `JSON for other programs` {
  @Test func `is read by Foundation`() throws {
    var random = SeededGenerator(seed: 0xF0)
    for round in 0..<300 {
      let value = ValueSupport.value(using: &random)
      let text = try value.json()
      #expect(
        throws: Never.self, "seed 0xF0, round \(round): \(text)",
        performing: {
          _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        })
    }
  }
}
