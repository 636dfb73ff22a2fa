import Fuzzing
import SPON

/// Parses a text as a path and as a pattern, and tests that both round-trip.
func fuzzPath(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let path = SPONPath(text) {
    expect(SPONPath(path.description) == path, "the path \(path.steps) is parsed as another one")
  }
  if let pattern = SPONPath.Pattern(text) {
    expect(
      SPONPath.Pattern(pattern.description) == pattern,
      "the pattern \(pattern.steps) is parsed as another one")
  }
  // Every sequence of steps has a textual form.
  let steps: [SPONPath.Key] = bytes.split(separator: 0x2E, omittingEmptySubsequences: false).map {
    part in
    guard let first = part.first, first & 1 == 1 else {
      return .key(String(decoding: part, as: UTF8.self))
    }
    return .index(
      part.dropFirst().prefix(7).reduce(0) { $0 << 8 | Int($1) } * (first & 2 == 0 ? 1 : -1))
  }
  let path = SPONPath(steps)
  expect(SPONPath(path.description) == path, "the path \(steps) is parsed as another one")
}
