import Fuzzing

/// The fuzzing modes.
@main
enum Mode: UInt8, FuzzMode {
  /// Parses as a whole and in chunks, with limits that inputs exceed.
  case pieces = 0x70  // p
  /// Parses, writes, and parses again.
  case trip = 0x74  // t
  /// Writes text.
  case write = 0x77  // w

  func run(_ bytes: [UInt8]) {
    switch self {
    case .pieces: fuzzChunkedReading(bytes)
    case .trip: fuzzRoundTrip(bytes)
    case .write: fuzzWriting(bytes)
    }
  }
}
