/// A file as it was read or written: its stamp, and what its bytes come to.
struct FileVersion: Sendable {
  let stamp: FileStamp
  /// `nil` where not all of it was read.
  let checksum: UInt64?

  /// Whether what a path leads to has the same bytes. They are looked at only where the stamp is another one: where the
  /// file was copied, or touched, or another one of the same length was put in its place.
  func isStill(at path: String) throws(ProviderError) -> Bool {
    guard let now = try FileStamp(path: path) else { return false }
    if now == stamp { return true }
    guard let checksum, now.size == stamp.size else { return false }
    let reader = try FileReader(path: path)
    while try reader.read(atMost: 1 << 18) != nil {}
    return reader.checksum == checksum
  }
}
