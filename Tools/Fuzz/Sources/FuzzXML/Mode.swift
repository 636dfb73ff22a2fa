import Fuzzing

/// What is tried with an input.
@main
enum Mode: UInt8, FuzzMode {
  /// Reading at once and in pieces, under limits that inputs pass.
  case pieces = 0x70  // p
  /// Reading, and writing what was read.
  case trip = 0x74  // t
  /// Writing texts.
  case write = 0x77  // w

  func run(_ bytes: [UInt8]) {
    switch self {
    case .pieces: fuzzChunkedReading(bytes)
    case .trip: fuzzRoundTrip(bytes)
    case .write: fuzzWriting(bytes)
    }
  }
}
