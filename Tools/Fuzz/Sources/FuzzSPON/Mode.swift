import Fuzzing

/// The fuzzing modes.
@main
enum Mode: UInt8, FuzzMode {
  /// Parses with all rules, and writes.
  case text = 0x74  // t
  /// Parses as a whole and in chunks.
  case chunks = 0x63  // c
  case json = 0x6A  // j
  /// Decodes into types.
  case decoding = 0x64  // d
  case path = 0x70  // p
  /// Computes the difference of two values.
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
