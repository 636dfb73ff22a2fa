import Foundation

/// The folders of the data files, by default the folders of Debian's packages `iso-codes` and
/// `tzdata`.
struct DataFolders: Equatable {
  var isoCodes = "/usr/share/iso-codes/json"
  var zones = "/usr/share/zoneinfo"

  /// Returns the path of a source's file.
  func path(of source: DataSource) -> String {
    (source == .zones ? zones : isoCodes) + "/" + source.fileName
  }

  /// Returns the content of a source's file.
  ///
  /// - Throws: ``AtlasError/missingData(path:package:)``.
  func bytes(of source: DataSource) throws(AtlasError) -> Data {
    let path = path(of: source)
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .missingData(path: path, package: source.package)
    }
    return data
  }

  /// Returns the installed edition of a source's file, which allows detecting a newer one without
  /// reading the file.
  ///
  /// - Throws: ``AtlasError/missingData(path:package:)``.
  func edition(of source: DataSource) throws(AtlasError) -> Edition {
    let path = path(of: source)
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
      let size = attributes[.size] as? Int, let modified = attributes[.modificationDate] as? Date
    else { throw .missingData(path: path, package: source.package) }
    return Edition(size: size, modified: Int(modified.timeIntervalSince1970))
  }

  /// A file's size and modification time in seconds.
  struct Edition: Hashable {
    let size: Int
    let modified: Int
  }
}
