extension SourceSession {
  /// Files that are written as a whole, beside what they replace: a crash at any moment leaves the old one or the new one.
  public enum FileWriting {
    /// Writes a file.
    ///
    /// ```swift
    /// try SourceSession.FileWriting.write(toPath: "towns.csv", replacing: false) { output in
    ///   try output.write(Array("name\r\n".utf8))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The file; where it is a link, what that leads to.
    ///   - replacing: Whether a file that is there is replaced. One that comes while this is written is not replaced either.
    ///   - body: Hands over the bytes. What it throws leaves everything as it was.
    /// - Throws: What `body` throws; ``ProviderError`` with ``ProviderError/Code/fileExists`` where a file is there; with
    ///   ``ProviderError/Code/busy`` where another process writes it; what the file system says.
    public static func write(
      toPath path: String, replacing: Bool, _ body: (ByteOutput) throws -> Void
    ) throws {
      if !replacing { try refuseFile(at: path) }
      let replacement = try FileReplacement(path: path)
      try body(ByteOutput(path: path) { try replacement.write($0) })
      do throws(ProviderError) {
        _ = try replacement.commit(expecting: replacing ? nil : .some(nil))
      } catch {
        throw error.code == .fileChanged ? .fileExists(path) : error
      }
      try replacement.finish()
    }

    /// Refuses where a file is, before work is done for it.
    ///
    /// - Throws: ``ProviderError`` with ``ProviderError/Code/fileExists``; what the file system says.
    public static func refuseFile(at path: String) throws(ProviderError) {
      if try FileStamp(path: path) != nil { throw .fileExists(path) }
    }
  }
}

extension ProviderError {
  static func fileExists(_ path: String) -> ProviderError {
    ProviderError(.fileExists, "there is a file already, and it is not to be replaced", file: path)
  }
}
