import Foundation

/// Where the data lies: the folders that Debian's `iso-codes` and `tzdata` fill.
struct DataFolders: Equatable {
  var isoCodes = "/usr/share/iso-codes/json"
  var zones = "/usr/share/zoneinfo"

  /// The file of one source.
  func path(of source: DataSource) -> String {
    (source == .zones ? zones : isoCodes) + "/" + source.fileName
  }

  /// The bytes of one source's file.
  ///
  /// - Throws: ``AtlasError/missingData(path:package:)``.
  func bytes(of source: DataSource) throws(AtlasError) -> Data {
    let path = path(of: source)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .missingData(path: path, package: source.package)
    }
    return data
  }

  /// Which edition of a source's file is installed: enough to notice a newer one, without reading.
  ///
  /// - Throws: ``AtlasError/missingData(path:package:)``.
  func edition(of source: DataSource) throws(AtlasError) -> Edition {
    let path = path(of: source)
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size] as? Int, let modified = attributes[.modificationDate] as? Date
    else { throw .missingData(path: path, package: source.package) }
    return Edition(size: size, modified: Int(modified.timeIntervalSince1970))
  }

  /// A file's size and the second in which it last changed.
  struct Edition: Hashable {
    let size: Int
    let modified: Int
  }
}
