internal import Foundation
internal import Primitives

/// What is tried with an input: each case in another way. It is the program's main type.
///
/// libFuzzer makes the inputs. The first byte of each says by its letter what is tried with the others, unless the
/// environment's `FUZZ_MODE` does.
///
/// ```swift
/// @main enum Mode: UInt8, FuzzMode {
///   case text = 0x74  // t
///
///   func run(_ bytes: [UInt8]) { expect(read(bytes).isSound, "what is read is not sound") }
/// }
/// ```
public protocol FuzzMode: CaseIterable, RawRepresentable<UInt8>, Sendable {
  /// Tries an input, and ends the process where something does not hold: see ``expect(_:_:)``.
  func run(_ bytes: [UInt8])
}

extension FuzzMode {
  /// Tries inputs until libFuzzer ends the process.
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

/// A function that C calls can't hold the mode's type.
private let tried = Mutex<(@Sendable (UnsafeBufferPointer<UInt8>) -> Void)?>(nil)

/// libFuzzer's own loop over inputs, which ends the process.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32
