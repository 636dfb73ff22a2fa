internal import CLibXML2

/// A file that is open for reading from its beginning to its end.
final class XMLFile {
  private let descriptor: Int32

  /// - Throws: ``ProviderError`` with ``ProviderError/Code/notFound``,
  ///   ``ProviderError/Code/accessDenied`` or ``ProviderError/Code/fileSystem``.
  init(path: String) throws(ProviderError) {
    // C would take the path for the part of it before a NUL.
    guard !path.utf8.contains(0) else { throw Self.missing }
    descriptor = unsafe holt_xml_open(path)
    guard descriptor >= 0 else { throw Self.error(-descriptor) }
  }

  deinit {
    if descriptor >= 0 { holt_xml_close(descriptor) }
  }

  /// The next bytes; `nil` at the end.
  func read(atMost count: Int) throws(ProviderError) -> [UInt8]? {
    var code = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
      code = unsafe holt_xml_read(descriptor, buffer.baseAddress, count)
      size = max(code, 0)
    }
    guard code >= 0 else { throw Self.error(Int32(-code)) }
    return bytes.isEmpty ? nil : bytes
  }

  private static let missing = ProviderError(.notFound, "there is no such file")

  private static func error(_ code: Int32) -> ProviderError {
    switch holt_xml_file_fault_of(code) {
    case HOLT_XML_FILE_IS_MISSING: missing
    case HOLT_XML_FILE_IS_FORBIDDEN: ProviderError(.accessDenied, "the file may not be read")
    case HOLT_XML_FILE_IS_FOLDER: ProviderError(.fileSystem, "this is a folder, and no file")
    default: ProviderError(.fileSystem, "the system fails to read the file: error \(code)")
    }
  }
}
