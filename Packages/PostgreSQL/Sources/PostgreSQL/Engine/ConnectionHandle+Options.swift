internal import CLibPQ

extension ConnectionHandle {
  /// Returns the parameters of a URL, parsed by libpq.
  static func options(ofURL url: String) throws(PostgreSQLError) -> [String: String] {
    guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"), !url.utf8.contains(0)
    else {
      throw PostgreSQLError(
        code: .invalidConfiguration, message: "the URL does not begin with postgres://")
    }
    guard let options = unsafe PQconninfoParse(url, nil) else {
      throw PostgreSQLError(code: .invalidConfiguration, message: "the URL is invalid")
    }
    defer { unsafe PQconninfoFree(options) }
    var values: [String: String] = [:]
    var next = unsafe options
    while let keyword = unsafe next.pointee.keyword {
      if let value = unsafe next.pointee.val {
        unsafe values[String(cString: keyword)] = String(cString: value)
      }
      unsafe next = unsafe next.advanced(by: 1)
    }
    return values
  }

  /// The version of libpq, such as 150018.
  static var libraryVersion: Int32 { PQlibVersion() }

  /// Returns whether a file can be read.
  static func canRead(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
