import Foundation
import SPON

/// Tries bytes that libFuzzer makes. The first one says what is tried with the others, unless the
/// environment's `FUZZ_MODE` does.
@main
enum FuzzSPON {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runFuzzer(&count, &arguments) { fuzz(UnsafeBufferPointer(start: $0, count: $1)) }
  }
}

/// What is tried with an input.
enum Mode: UInt8, CaseIterable {
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

  /// The mode that the environment names by its letter.
  static let chosen: Mode? = ProcessInfo.processInfo.environment["FUZZ_MODE"]
    .flatMap(\.utf8.first).flatMap { Mode(rawValue: $0) }

  init(of byte: UInt8) {
    self = Mode(rawValue: byte) ?? Self.allCases[Int(byte) % Self.allCases.count]
  }

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

private func fuzz(_ input: UnsafeBufferPointer<UInt8>) -> Int32 {
  guard let first = input.first else { return 0 }
  (Mode.chosen ?? Mode(of: first)).run(Array(input.dropFirst()))
  return 0
}

/// libFuzzer's own loop over inputs, which ends the process.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Ends the process, which libFuzzer takes for a finding, where something does not hold.
func expect(
  _ holds: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String
) {
  do {
    if try holds() { return }
    fail(message())
  } catch {
    fail("\(message()): \(error)")
  }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\nfound: \(message)\n".utf8))
  preconditionFailure(message)
}
