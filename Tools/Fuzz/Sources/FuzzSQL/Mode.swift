import Fuzzing

/// What is tried with an input.
@main
enum Mode: UInt8, FuzzMode {
  /// A text of any bytes, split into tokens.
  case tokens = 0x74  // t
  /// A script, parsed, printed and parsed again.
  case script = 0x73  // s
  /// A file of named queries.
  case queries = 0x71  // q
  /// A script replayed as a schema, and each of its statements analyzed against it.
  case meaning = 0x6D  // m

  func run(_ bytes: [UInt8]) {
    switch self {
    case .tokens: fuzzTokens(bytes)
    case .script: fuzzScript(bytes)
    case .queries: fuzzQueries(bytes)
    case .meaning: fuzzAnalysis(bytes)
    }
  }
}
