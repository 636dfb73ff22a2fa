import Fuzzing

/// What is tried with an input.
@main
enum Mode: UInt8, FuzzMode {
  /// Reading by all rules, and writing.
  case text = 0x74  // t
  /// Reading at once and in chunks.
  case chunks = 0x63  // c
  case json = 0x6A  // j
  /// Decoding into types.
  case decoding = 0x64  // d
  case path = 0x70  // p
  /// Differences of two values.
  case values = 0x76  // v

  func run(_ bytes: [UInt8]) {
    switch self {
    case .text: fuzzText(bytes)
    case .chunks: fuzzChunks(bytes)
    case .json: fuzzJSON(bytes)
    case .decoding: fuzzDecoding(bytes)
    case .path: fuzzPath(bytes)
    case .values: fuzzValues(bytes)
    }
  }
}
