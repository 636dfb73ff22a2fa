public import Foundation

extension DataProvider {
  /// Opens the source at a file URL. If no file exists, the source is empty, unless it is opened as
  /// read-only.
  ///
  /// - Throws: The same errors as `openSource(_:fromBundle:readOnly:)`; ``ProviderError`` with
  ///   ``ProviderError/Code/invalidName`` if the URL is not a file URL.
  public func openSource(at url: URL, readOnly: Bool = false) throws {
    try openSource(atPath: Self.path(of: url), readOnly: readOnly)
  }

  /// Opens the source at a file URL.
  ///
  /// - Throws: The same errors as the synchronous form.
  public func openSource(at url: URL, readOnly: Bool = false) async throws {
    try await openSource(atPath: Self.path(of: url), readOnly: readOnly)
  }

  /// Opens the source at a file URL, and creates the file immediately if it does not exist.
  ///
  /// - Throws: The same errors as `openSource(at:readOnly:)`.
  public func createSource(at url: URL) throws { try createSource(atPath: Self.path(of: url)) }

  /// Writes the open source to the file at a URL, and continues with that file.
  ///
  /// - Throws: The same errors as `saveSource(_:)`.
  public func saveSource(at url: URL) throws { try saveSource(atPath: Self.path(of: url)) }

  /// Deletes the source at a URL. If it is open, it is closed first, without being written.
  ///
  /// - Throws: The same errors as ``deleteSource(_:)``.
  public func deleteSource(at url: URL) throws { try deleteSource(atPath: Self.path(of: url)) }

  private static func path(of url: URL) throws(ProviderError) -> String {
    guard url.isFileURL else {
      throw ProviderError(
        .invalidName, "the URL is not a file URL", file: url.absoluteString)
    }
    return url.path
  }
}
