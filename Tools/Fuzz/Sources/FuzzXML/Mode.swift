import Foundation
@_spi(Formats) import Providers

/// Tries bytes that libFuzzer makes. The first one says what is tried with the others, unless the
/// environment's `FUZZ_MODE` does.
@main
enum FuzzXML {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runFuzzer(&count, &arguments) { fuzz(UnsafeBufferPointer(start: $0, count: $1)) }
  }
}

/// What is tried with an input.
enum Mode: UInt8, CaseIterable {
  /// Reading at once and in pieces, under limits that inputs pass.
  case pieces = 0x70  // p
  /// Reading, and writing what was read.
  case trip = 0x74  // t
  /// Writing texts.
  case write = 0x77  // w

  /// The mode that the environment names by its letter.
  static let chosen: Mode? = ProcessInfo.processInfo.environment["FUZZ_MODE"]
    .flatMap(\.utf8.first).flatMap { Mode(rawValue: $0) }

  init(of byte: UInt8) {
    self = Mode(rawValue: byte) ?? Self.allCases[Int(byte) % Self.allCases.count]
  }

  func run(_ bytes: [UInt8]) {
    switch self {
    case .pieces: fuzzPieces(bytes)
    case .trip: fuzzTrip(bytes)
    case .write: fuzzWriting(bytes)
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
  if holds { return }
  FileHandle.standardError.write(Data("\nfound: \(message())\n".utf8))
  preconditionFailure(message())
}
