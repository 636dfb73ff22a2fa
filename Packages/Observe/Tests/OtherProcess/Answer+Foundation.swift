internal import Foundation

/// Writes a line at once: what is printed waits in a buffer.
func answer(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Goes on as another user, which only a privileged process may.
func become(_ user: UInt32) -> Bool { setgid(user) == 0 && setuid(user) == 0 }
