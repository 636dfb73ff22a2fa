#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What a path names, as far as opening it must know.
enum FileKind {
  /// What tells a file from every other, whatever its names are; `nil` where there is none.
  static func identity(of path: String) -> String? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return "\(status.st_dev) \(status.st_ino)"
  }

  /// Whether it is a pipe: opening one to read waits until somebody writes to it.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}
