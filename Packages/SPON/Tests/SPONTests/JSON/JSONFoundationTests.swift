import Foundation
import SPON
import Testing

@Suite struct `JSON and Foundation's JSON` {
  @Test func `agree on what is written`() throws {
    var random = ValueSupport.Random(seed: 0xF0)
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

  @Test func `agree on what is not JSON`() {
    // Of those where Foundation is more lenient, none is here.
    for refused in `JSON as RFC 8259 has it`.refused where refused.text != "\u{FEFF}1" {
      #expect(throws: (any Error).self, "\(refused.text)") {
        _ = try JSONSerialization.jsonObject(
          with: Data(refused.text.utf8), options: .fragmentsAllowed)
      }
    }
  }
}
