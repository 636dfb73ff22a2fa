public import Foundation

extension DataProvider {
  /// Opens the source at a URL of a file. One that is not there begins empty, unless it is opened for reading alone.
  ///
  /// - Throws: As `openSource(_:fromBundle:readOnly:)`; ``ProviderError`` with ``ProviderError/Code/invalidName`` for a
  ///   URL of something else than a file.
  public func openSource(at url: URL, readOnly: Bool = false) throws {
    try openSource(atPath: Self.path(of: url), readOnly: readOnly)
  }

  /// Opens the source at a URL of a file.
  ///
  /// - Throws: As the synchronous form.
  public func openSource(at url: URL, readOnly: Bool = false) async throws {
    try await openSource(atPath: Self.path(of: url), readOnly: readOnly)
  }

  /// Opens the source at a URL of a file; makes it there where it does not exist, at once.
  ///
  /// - Throws: As `openSource(at:readOnly:)`.
  public func createSource(at url: URL) throws { try createSource(atPath: Self.path(of: url)) }

  /// Writes what is open to the file at a URL, and goes on with that one.
  ///
  /// - Throws: As `saveSource(_:)`.
  public func saveSource(at url: URL) throws { try saveSource(atPath: Self.path(of: url)) }

  /// Deletes the source at a URL. Where it is open, it is closed before, and not written.
  ///
  /// - Throws: As ``deleteSource(_:)``.
  public func deleteSource(at url: URL) throws { try deleteSource(atPath: Self.path(of: url)) }

  private static func path(of url: URL) throws(ProviderError) -> String {
    guard url.isFileURL else {
      throw ProviderError(
        .invalidName, "a source is opened by the URL of a file", file: url.absoluteString)
    }
    return url.path
  }
}
