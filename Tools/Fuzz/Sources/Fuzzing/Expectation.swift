internal import Foundation

/// Ends the process, which libFuzzer takes for a finding, where something does not hold.
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
