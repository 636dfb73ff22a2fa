internal import Foundation
internal import Primitives

/// The modes of a fuzz target, which is the program's main type.
///
/// libFuzzer generates the inputs. The first byte of an input is the letter of the mode, unless the environment
/// variable `FUZZ_MODE` selects the mode.
///
/// ```swift
/// @main enum Mode: UInt8, FuzzMode {
///   case text = 0x74  // t
///
///   func run(_ bytes: [UInt8]) { expect(read(bytes).isSound, "the parsed value is invalid") }
/// }
/// ```
public protocol FuzzMode: CaseIterable, RawRepresentable<UInt8>, Sendable {
  /// Tests an input, and ends the process if a condition is false; see ``expect(_:_:)``.
  func run(_ bytes: [UInt8])
}

extension FuzzMode {
  /// Runs libFuzzer's loop, which ends the process.
  public static func main() {
    let chosen = ProcessInfo.processInfo.environment["FUZZ_MODE"]
      .flatMap(\.utf8.first).flatMap { Self(rawValue: $0) }
    tried.withLock {
      $0 = { input in
        guard let first = input.first else { return }
        (chosen ?? Self(of: first)).run(Array(input.dropFirst()))
      }
    }
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runFuzzer(&count, &arguments) {
      tried.withLock(\.self)?(UnsafeBufferPointer(start: $0, count: $1))
      return 0
    }
  }

  private init(of byte: UInt8) {
    let all = Array(Self.allCases)
    self = Self(rawValue: byte) ?? all[Int(byte) % all.count]
  }
}

/// The function that tests an input. A C callback can't capture the mode's type.
private let tried = Mutex<(@Sendable (UnsafeBufferPointer<UInt8>) -> Void)?>(nil)

/// libFuzzer's main loop, which ends the process.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
