import Foundation
import SPON

/// Reads bytes that libFuzzer makes by all rules, and writes and reads again what was read.
@main
enum FuzzSPON {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    _ = runFuzzer(&count, &arguments) { fuzz(Array(UnsafeBufferPointer(start: $0, count: $1))) }
  }
}

/// libFuzzer's own loop over inputs, which ends the process.
@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<Int8>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

private func fuzz(_ bytes: [UInt8]) -> Int32 {
  let value = read(bytes, .standard)
  let strict = read(bytes, .strict)
  let lenient = read(bytes, .lenient)
  expect(strict == nil || strict == value, "strict rules read another value")
  if let value { expectRoundTrip(value) }
  // Lenient rules may read another value, of texts that begin as an object with an odd type name does.
  if let lenient, lenient != value { expectRoundTrip(lenient) }
  return 0
}

/// A text's value; `nil` where it is refused, with a place in it.
private func read(_ bytes: [UInt8], _ rules: SPONRules) -> SPONValue? {
  do {
    return try SPONValue(parsing: bytes, rules: rules)
  } catch {
    let offset = error.position?.byteOffset ?? -1
    expect((0...bytes.count).contains(offset), "an error has no place in the text: \(error)")
    return nil
  }
}

private func expectRoundTrip(_ value: SPONValue) {
  do {
    let canonical = try value.bytes(.canonical)
    let back = try SPONValue(parsing: canonical, rules: .strict)
    expect(back == value && back.hashValue == value.hashValue, "another value was read again")
    expect(try back.bytes(.canonical) == canonical, "there are two canonical forms")
    if canonical.count < 1_000 {  // in which a type name can be told from a text
      expect(try SPONValue(parsing: canonical, rules: .lenient) == value, "lenient rules misread")
    }
    let pretty = try value.bytes(.prettyPrinted)
    expect(try SPONValue(parsing: pretty) == value, "pretty text is read as another value")
    let marked = try value.bytes(version: .two)
    expect(try SPONValue(parsing: marked) == value, "version 2 is read as another value")
  } catch {
    expect(false, "what was written is refused: \(error)")
  }
  expectVersion1(value)
}

/// Version 1 has no form for a value, or one that is read and written the same again.
private func expectVersion1(_ value: SPONValue) {
  guard let text = try? value.bytes(version: .one) else { return }
  guard let back = try? SPONValue(parsing: text) else {
    return expect(false, "version 1 as it was written is refused")
  }
  expect((try? back.bytes(version: .one)) == text, "version 1 is written in two ways")
}

/// Ends the process, which libFuzzer takes for a finding, where something does not hold.
private func expect(_ holds: @autoclosure () throws -> Bool, _ message: String) {
  var found = message
  do {
    if try holds() { return }
  } catch {
    found += ": \(error)"
  }
  FileHandle.standardError.write(Data("\nfound: \(found)\n".utf8))
  preconditionFailure(found)
}
