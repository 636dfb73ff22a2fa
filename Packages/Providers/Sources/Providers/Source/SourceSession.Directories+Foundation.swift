internal import Foundation

extension SourceSession.Directories {
  /// The app's own directories: see `DataProvider.openSource(_:fromBundle:readOnly:)`.
  public static var standard: SourceSession.Directories {
    SourceSession.Directories(
      documents: documentDirectory, bundle: Bundle.main.resourcePath ?? Bundle.main.bundlePath)
  }

  private static var documentDirectory: String {
    #if os(macOS)
      let documents = URL.documentsDirectory
      let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String
      return documents.appending(path: name ?? ProcessInfo.processInfo.processName).path
    #elseif canImport(Darwin)
      return URL.documentsDirectory.path
    #else
      let environment = ProcessInfo.processInfo.environment
      // According to the XDG Base Directory Specification, relative paths are ignored.
      let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      let home = data ?? FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share"
      return "\(home)/\(ProcessInfo.processInfo.processName)"
    #endif
  }
}
