internal import Foundation

/// Writes a line immediately: `print` would buffer it.
func answer(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Switches to another user, which requires privileges.
func become(_ user: UInt32) -> Bool { setgid(user) == 0 && setuid(user) == 0 }
