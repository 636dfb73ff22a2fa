extension Configuration {
  /// A library of functions, collations and virtual tables in C that SQLite loads as it opens a connection.
  ///
  /// An extension is code that runs with all the rights of the program. Only those that the configuration names are
  /// loaded: SQL can't load one, since `load_extension()` stays off.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.extensions = [Configuration.LoadableExtension(path: "/usr/lib/sqlite3/pcre.so")]
  /// ```
  public struct LoadableExtension: Hashable, Sendable {
    /// The path of the library; without a suffix, SQLite adds the platform's.
    public var path: String
    /// The function of the library that registers it; `nil` for the one that SQLite derives from the
    /// library's name: `sqlite3_pcre_init` for `libpcre.so`.
    public var entryPoint: String?

    public init(path: String, entryPoint: String? = nil) {
      self.path = path
      self.entryPoint = entryPoint
    }
  }
}
