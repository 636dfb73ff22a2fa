internal import Foundation

/// Conversions between paths and the `file` URIs of the protocol.
public enum DocumentURI {
  /// Returns the path of a URI; `nil` if the URI does not refer to a file.
  public static func path(_ uri: String) -> String? {
    guard uri.lowercased().hasPrefix("file:") else { return nil }
    var rest = uri.dropFirst("file:".count)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      guard let slash = rest.firstIndex(of: "/") else { return nil }
      rest = rest[slash...]
    }
    guard let path = String(rest).removingPercentEncoding, path.hasPrefix("/") else { return nil }
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Returns the URI of an absolute path.
  public static func uri(_ path: String) -> String {
    "file://" + (path.addingPercentEncoding(withAllowedCharacters: unescaped) ?? path)
  }

  /// The characters of a path that a URI contains unchanged.
  private static let unescaped = CharacterSet(
    charactersIn: "/-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
}
