// Links the library, for which Debian 12 has no pkg-config file.
import CBZip2
import CCompression
import Foundation

/// A compression format of files.
enum Compression: CaseIterable {
  case gzip, zstd, bzip2

  /// Detects a compressed file by its first bytes.
  init?(beginning bytes: [UInt8]) {
    if bytes.starts(with: [0x1F, 0x8B, 8]) {
      self = .gzip
    } else if bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      self = .zstd
    } else if bytes.starts(with: "BZh".utf8), bytes.count > 3, (0x31...0x39).contains(bytes[3]) {
      self = .bzip2
    } else {
      return nil
    }
  }

  /// Determines the compression of a file to write from its extension.
  init?(path: String) {
    guard let format = Self.allCases.first(where: { path.lowercased().hasSuffix($0.suffix) })
    else { return nil }
    self = format
  }

  private var suffix: String {
    switch self {
    case .gzip: ".gz"
    case .zstd: ".zst"
    case .bzip2: ".bz2"
    }
  }

  /// Returns the path without the extension of a compression: `towns.csv` for `towns.csv.gz`.
  static func withoutExtension(_ path: String) -> String {
    Compression(path: path).map { String(path.dropLast($0.suffix.count)) } ?? path
  }

  private var kind: holt_compression {
    switch self {
    case .gzip: HOLT_GZIP
    case .zstd: HOLT_ZSTD
    case .bzip2: HOLT_BZIP2
    }
  }

  /// Decompresses a file, in a bounded amount of memory.
  ///
  /// - Throws: `ToolError` if the content is malformed or truncated, or can't be written.
  func decompress(_ file: String, to output: String, shownAs path: String) throws {
    try run(file, output, path) { holt_decompress(kind, $0, $1) }
  }

  /// Compresses a file.
  ///
  /// - Throws: The same errors as ``decompress(_:to:shownAs:)``.
  func compress(_ file: String, to output: String, shownAs path: String) throws {
    try run(file, output, path) { holt_compress(kind, $0, $1) }
  }

  private func run(
    _ file: String, _ output: String, _ path: String,
    _ body: (Int32, Int32) -> holt_compression_result
  ) throws {
    let source = try OpenedFile.handle(reading: file, shownAs: path)
    defer { try? source.close() }
    guard FileManager.default.createFile(atPath: output, contents: nil),
      let target = FileHandle(forWritingAtPath: output)
    else { throw ToolError("can't create a temporary file", file: path) }
    defer { try? target.close() }
    let result = body(source.fileDescriptor, target.fileDescriptor)
    let message: String
    switch result {
    case HOLT_COMPRESSION_SUCCEEDED: return
    case HOLT_COMPRESSION_CANT_READ: message = "the file can't be read"
    case HOLT_COMPRESSION_CANT_WRITE: message = "can't write a temporary file: the disk may be full"
    case HOLT_COMPRESSION_IS_TRUNCATED: message = "the compressed file ends too early"
    case HOLT_COMPRESSION_NEEDS_MEMORY: message = "not enough memory for the compressed file"
    default: message = "the compressed file is malformed"
    }
    throw ToolError(message, file: path)
  }
}
