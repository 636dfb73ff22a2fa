import Fuzzing

/// The fuzzing modes.
@main
enum Mode: UInt8, FuzzMode {
  /// Splits arbitrary bytes into tokens.
  case tokens = 0x74  // t
  /// Parses a script, prints it, and parses it again.
  case script = 0x73  // s
  /// Parses a file of named queries.
  case queries = 0x71  // q
  /// Replays a script as a schema, and analyzes each of its statements.
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
