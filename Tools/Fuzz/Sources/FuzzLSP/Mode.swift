import Fuzzing

/// The fuzzing modes.
@main
enum Mode: UInt8, FuzzMode {
  /// Splits a stream into messages.
  case framing = 0x66  // f
  /// Passes a server one message on each line.
  case messages = 0x6D  // m
  /// Edits a document, and sends requests about places in it.
  case document = 0x64  // d

  func run(_ bytes: [UInt8]) {
    switch self {
    case .framing: fuzzFraming(bytes)
    case .messages: fuzzMessages(bytes)
    case .document: fuzzDocument(bytes)
    }
  }
}
