internal import Foundation

/// Writes a line at once: what is printed waits in a buffer.
func answer(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
