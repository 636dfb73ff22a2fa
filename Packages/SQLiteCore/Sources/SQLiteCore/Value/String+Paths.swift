extension String {
  /// An absolute path's folder, and the name in it.
  var splitAtLastSlash: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let folder = self[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(self[index(after: slash)...]))
  }
}
