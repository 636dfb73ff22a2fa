import Fuzzing

/// What is tried with an input.
@main
enum Mode: UInt8, FuzzMode {
  case json = 0x6A  // j
  case csv = 0x63  // c
  /// Dialects, encodings and types of columns.
  case inference = 0x69  // i

  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: fuzzJSON(bytes)
    case .csv: fuzzCSV(bytes)
    case .inference: fuzzInference(bytes)
    }
  }
}
