internal import Foundation

/// The location of an application's databases.
enum DataFolder {
  /// Returns the path of the folder, creating it if necessary.
  static func make(isCache: Bool) throws(RelationError) -> String {
    let folder = root(isCache: isCache) + "/" + ProcessInfo.processInfo.processName
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RelationError(.noFolder, "\(folder) can't be created: \(error.localizedDescription)")
    }
    return folder
  }

  private static func root(isCache: Bool) -> String {
    #if os(Linux) || os(Android)
      let environment = ProcessInfo.processInfo.environment
      let name = isCache ? "XDG_CACHE_HOME" : "XDG_DATA_HOME"
      if let path = environment[name], path.hasPrefix("/") { return path }
      return NSHomeDirectory() + (isCache ? "/.cache" : "/.local/share")
    #else
      let kind: FileManager.SearchPathDirectory =
        isCache ? .cachesDirectory : .applicationSupportDirectory
      return NSSearchPathForDirectoriesInDomains(kind, .userDomainMask, true).first
        ?? NSTemporaryDirectory()
    #endif
  }
}
