import Fuzzing

/// The fuzzing modes.
@main
enum Mode: UInt8, FuzzMode {
  case json = 0x6A  // j
  case csv = 0x63  // c
  /// Infers dialects, encodings and column types.
  case inference = 0x69  // i

  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: fuzzJSON(bytes)
    case .csv: fuzzCSV(bytes)
    case .inference: fuzzInference(bytes)
    }
  }
}
