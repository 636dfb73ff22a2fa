internal import Foundation

/// Ends the process if the condition is false, which libFuzzer reports as a crash.
public func expect(
  _ holds: @autoclosure () throws -> Bool, _ message: @autoclosure () -> String
) {
  do {
    if try holds() { return }
    fail(message())
  } catch {
    fail("\(message()): \(error)")
  }
}

public func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("\nfound: \(message)\n".utf8))
  preconditionFailure(message)
}
