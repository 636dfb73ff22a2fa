internal import Foundation

extension ModelSession {
  /// Returns the path of the folder of the application's databases, creating it if necessary.
  static func dataFolder(isCache: Bool) throws(RelationError) -> String {
    let folder = rootFolder(isCache: isCache) + "/" + ProcessInfo.processInfo.processName
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw RelationError(.noFolder, "\(folder) can't be created: \(error.localizedDescription)")
    }
    return folder
  }

  private static func rootFolder(isCache: Bool) -> String {
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
