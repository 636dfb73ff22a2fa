import Providers
import Testing

@Suite struct `Errors of providers` {
  @Test func `contain the position and a description`() {
    let error = ProviderError(
      .malformed, "a comma is missing", file: "a.json",
      position: ProviderError.Position(byteOffset: 9, line: 2, column: 3), table: "t", column: "c")
    #expect(error.description == "a.json:2:3: malformed: a comma is missing (t.c)")
    #expect(ProviderError(.truncated, "it ends").description == "truncated: it ends")
  }
}
