extension Database {
  /// The location of a database.
  ///
  /// ```swift
  /// let connection = try Connection(.uri(path: "map.sqlite", Database.URIParameters(isImmutable: true)))
  /// ```
  public enum Location: Hashable, Sendable {
    /// A file. No character of the path has a special meaning.
    case file(String)
    /// A file with URI parameters for SQLite.
    case uri(path: String, URIParameters)
    /// A private in-memory database, which exists as long as its connection.
    case memory
    /// An in-memory database that the connections of this process share by name, which exists as long as the last of
    /// them.
    ///
    /// The connections share a cache and its table locks. A statement that encounters such a lock fails immediately
    /// with ``SQLiteError/Code/locked``, for any ``Configuration/BusyPolicy``.
    case sharedMemory(named: String)
    /// A private database on disk in an unnamed file, which exists as long as its connection.
    case temporary

    /// Creates the location of a path as SQLite interprets it: `:memory:`, an empty string, or a file.
    public init(path: String) {
      switch path {
      case ":memory:": self = .memory
      case "": self = .temporary
      default: self = .file(path)
      }
    }
  }
}

extension Database {
  /// The URI parameters of a file.
  public struct URIParameters: Hashable, Sendable {
    /// The access mode. It can only restrict the configuration.
    public var mode: Mode?
    /// The kind of cache, which connections of this process can share.
    public var cache: Cache?
    /// Indicates whether the file is immutable: SQLite then takes no locks and does not check for changes.
    ///
    /// If the file changes nevertheless, queries return wrong results.
    public var isImmutable: Bool
    /// Indicates whether file locking is disabled. A write-ahead log is not available then.
    public var disablesLocking: Bool
    /// Indicates whether a power loss during a write leaves adjacent bytes unchanged (powersafe overwrite).
    public var isPowersafe: Bool?
    /// The name of the virtual file system, which overrides the configuration's.
    public var virtualFileSystem: String?
    /// Parameters for a custom virtual file system.
    public var others: [String: String]

    public init(
      mode: Mode? = nil, cache: Cache? = nil, isImmutable: Bool = false,
      disablesLocking: Bool = false,
      isPowersafe: Bool? = nil, virtualFileSystem: String? = nil, others: [String: String] = [:]
    ) {
      self.mode = mode
      self.cache = cache
      self.isImmutable = isImmutable
      self.disablesLocking = disablesLocking
      self.isPowersafe = isPowersafe
      self.virtualFileSystem = virtualFileSystem
      self.others = others
    }

    /// The access mode of a file: SQLite's `mode`.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
      case readOnly = "ro"
      case readWrite = "rw"
      case readWriteCreate = "rwc"
      case memory
    }

    /// The kind of a connection's cache: SQLite's `cache`.
    public enum Cache: String, Hashable, Sendable, CaseIterable {
      case shared
      case `private`
    }
  }
}

extension Database.Location: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let path), .uri(let path, _): path
    case .memory: ":memory:"
    case .sharedMemory(let name): "the shared memory \(name)"
    case .temporary: "a temporary database"
    }
  }
}

extension Database.Location {
  /// Indicates whether the database is never stored in a user's file.
  var isInMemory: Bool {
    switch self {
    case .memory, .sharedMemory, .temporary: true
    case .file: false
    case .uri(_, let parameters): parameters.mode == .memory
    }
  }

  /// The path of the user's file, or `nil` if there is none.
  var path: String? {
    switch self {
    case .file(let path), .uri(let path, _): isInMemory ? nil : path
    case .memory, .sharedMemory, .temporary: nil
    }
  }

  /// Indicates whether one connection can write while others read.
  var allowsConcurrentConnections: Bool {
    guard case .uri(_, let parameters) = self else { return !isInMemory }
    return !isInMemory && !parameters.disablesLocking && parameters.cache != .shared
  }

  /// The location for connections that only read.
  var forReading: Database.Location {
    guard case .uri = self else { return self }
    return narrowed(to: .readOnly)
  }

  /// Returns the location with another path.
  func at(_ path: String) -> Database.Location {
    switch self {
    case .file: .file(path)
    case .uri(_, let parameters): .uri(path: path, parameters)
    case .memory, .sharedMemory, .temporary: self
    }
  }

  /// Indicates whether the location is read-only.
  var isReadOnly: Bool {
    guard case .uri(_, let parameters) = self else { return false }
    return parameters.mode == .readOnly || parameters.isImmutable
  }

  /// Returns the location restricted to read-only access or to existing files.
  func narrowed(to mode: Database.URIParameters.Mode) -> Database.Location {
    switch self {
    case .file(let path): return .uri(path: path, Database.URIParameters(mode: mode))
    case .uri(let path, var parameters):
      if parameters.mode != .readOnly, parameters.mode != .memory { parameters.mode = mode }
      return .uri(path: path, parameters)
    case .memory, .sharedMemory, .temporary: return self
    }
  }

  /// Returns the file name to pass to SQLite, which interprets URIs: a path must not look like one.
  func fileName() throws(SQLiteError) -> String {
    switch self {
    case .memory: return ":memory:"
    case .temporary: return ""
    case .file(let path): return try Self.checked(path, "path")
    case .sharedMemory(let name):
      let name = Self.escaped(try Self.checked(name, "name"), keepsSlashes: false)
      return "file:\(name)?mode=memory&cache=shared"
    case .uri(let path, let parameters):
      let path = Self.escaped(try Self.checked(path, "path"), keepsSlashes: true)
      let query = try parameters.pairs.map { (name, value) throws(SQLiteError) -> String in
        guard !name.isEmpty, !(name + value).utf8.contains(0) else {
          throw SQLiteError(
            code: .cannotOpen, message: "a parameter has no name or contains a NUL character")
        }
        let name = Self.escaped(name, keepsSlashes: false)
        return "\(name)=\(Self.escaped(value, keepsSlashes: true))"
      }
      // The host name between the second and the third slash must be empty.
      let start = path.hasPrefix("/") ? "file://" : "file:"
      return start + path + (query.isEmpty ? "" : "?") + query.joined(separator: "&")
    }
  }

  /// Returns a path that SQLite interprets neither as a URI nor as a special name.
  static func checked(_ path: String, _ what: String) throws(SQLiteError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(
        code: .cannotOpen,
        message: "the \(what) \(path.isEmpty ? "is empty" : "contains a NUL character")")
    }
    // Compared by bytes, as in SQLite: in Swift, a colon and a following combining accent are one character.
    let isURI = path.utf8.starts(with: "file:".utf8)
    return isURI || path == ":memory:" ? "./\(path)" : path
  }

  private static func escaped(_ text: String, keepsSlashes: Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      case UInt8(ascii: "/") where keepsSlashes: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Database.URIParameters {
  /// The parameters of the URI, in a fixed order.
  fileprivate var pairs: [(String, String)] {
    var pairs: [(String, String)] = []
    if let mode { pairs.append(("mode", mode.rawValue)) }
    if let cache { pairs.append(("cache", cache.rawValue)) }
    if isImmutable { pairs.append(("immutable", "1")) }
    if disablesLocking { pairs.append(("nolock", "1")) }
    if let isPowersafe { pairs.append(("psow", isPowersafe ? "1" : "0")) }
    if let virtualFileSystem { pairs.append(("vfs", virtualFileSystem)) }
    return pairs + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
