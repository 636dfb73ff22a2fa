import Foundation

/// Tries bytes that libFuzzer makes. The first one says what is tried with the others, unless the
/// environment's `FUZZ_MODE` does.
@main
enum FuzzFormats {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runFuzzer(&count, &arguments) { fuzz(UnsafeBufferPointer(start: $0, count: $1)) }
  }
}

/// What is tried with an input.
enum Mode: UInt8, CaseIterable {
  case json = 0x6A  // j
  case csv = 0x63  // c
  /// Dialects, encodings and types of columns.
  case inference = 0x69  // i

  /// The mode that the environment names by its letter.
  static let chosen: Mode? = ProcessInfo.processInfo.environment["FUZZ_MODE"]
    .flatMap(\.utf8.first).flatMap { Mode(rawValue: $0) }

  init(of byte: UInt8) {
    self = Mode(rawValue: byte) ?? Self.allCases[Int(byte) % Self.allCases.count]
  }

  func run(_ bytes: [UInt8]) {
    switch self {
    case .json: fuzzJSON(bytes)
    case .csv: fuzzCSV(bytes)
    case .inference: fuzzInference(bytes)
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
func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  guard !holds else { return }
  FileHandle.standardError.write(Data("\nfound: \(message())\n".utf8))
  preconditionFailure(message())
}

/// The bytes of a text that have come so far.
struct Window {
  let text: [UInt8]
  let chunk: Int
  private(set) var from = 0
  private(set) var to: Int

  init(_ text: [UInt8], _ chunk: Int?) {
    self.text = text
    self.chunk = chunk ?? text.count
    to = Swift.min(self.chunk, text.count)
  }

  var isComplete: Bool { to == text.count }

  mutating func move(_ count: Int) {
    from += count
    to = Swift.min(text.count, to + chunk)
  }
}

/// Ends pieces of a text up in one.
final class Pieces {
  var bytes: [UInt8] = []
}
