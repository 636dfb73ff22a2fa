extension Database {
  /// Where a database is.
  ///
  /// ```swift
  /// let connection = try Connection(.uri(path: "map.sqlite", Database.URIParameters(isImmutable: true)))
  /// ```
  public enum Location: Hashable, Sendable {
    /// A file; no character of the path has a meaning of its own.
    case file(String)
    /// A file, and how SQLite is to treat it.
    case uri(path: String, URIParameters)
    /// A database of its own in memory, gone with its connection.
    case memory
    /// A database in memory that the connections of this process share by its name, gone with the last
    /// of them.
    ///
    /// They share a cache and its table locks: a statement that meets one fails with
    /// ``SQLiteError/Code/locked`` at once, whatever the ``Configuration/BusyPolicy``.
    case sharedMemory(named: String)
    /// A database of its own on the disk, in a file without a name, gone with its connection.
    case temporary

    /// The location that a path means to SQLite: `:memory:`, an empty text, or a file.
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
  /// How SQLite is to treat a file: the parameters of its URIs.
  public struct URIParameters: Hashable, Sendable {
    /// What may be done with the file. It can only narrow what the configuration allows.
    public var mode: Mode?
    /// Whether this process's connections share one cache.
    public var cache: Cache?
    /// Whether the file can't change, so that neither locks nor changes are looked for.
    ///
    /// Where it does change, queries give wrong results.
    public var isImmutable: Bool
    /// Whether no locks are taken. There is no write-ahead log then.
    public var takesNoLocks: Bool
    /// Whether a loss of power spares the bytes beside those that are being written.
    public var isPowersafe: Bool?
    /// The name of the virtual file system, in place of the configuration's.
    public var virtualFileSystem: String?
    /// Parameters that a virtual file system understands by itself.
    public var others: [String: String]

    public init(
      mode: Mode? = nil, cache: Cache? = nil, isImmutable: Bool = false, takesNoLocks: Bool = false,
      isPowersafe: Bool? = nil, virtualFileSystem: String? = nil, others: [String: String] = [:]
    ) {
      self.mode = mode
      self.cache = cache
      self.isImmutable = isImmutable
      self.takesNoLocks = takesNoLocks
      self.isPowersafe = isPowersafe
      self.virtualFileSystem = virtualFileSystem
      self.others = others
    }

    /// What may be done with a file: SQLite's `mode`.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
      case readOnly = "ro"
      case readWrite = "rw"
      case readWriteCreate = "rwc"
      case memory
    }

    /// Whose cache a connection uses: SQLite's `cache`.
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
  /// Whether nothing of it is ever in a file of the user's.
  var isInMemory: Bool {
    switch self {
    case .memory, .sharedMemory, .temporary: true
    case .file: false
    case .uri(_, let parameters): parameters.mode == .memory
    }
  }

  /// The file of the user's; `nil` where there is none.
  var path: String? {
    switch self {
    case .file(let path), .uri(let path, _): isInMemory ? nil : path
    case .memory, .sharedMemory, .temporary: nil
    }
  }

  /// Whether one connection may write while others read.
  var allowsConnectionsSideBySide: Bool {
    guard case .uri(_, let parameters) = self else { return !isInMemory }
    return !isInMemory && !parameters.takesNoLocks && parameters.cache != .shared
  }

  /// The same for connections that only read.
  var forReading: Database.Location {
    guard case .uri = self else { return self }
    return narrowed(to: .readOnly)
  }

  /// The same location at another path.
  func at(_ path: String) -> Database.Location {
    switch self {
    case .file: .file(path)
    case .uri(_, let parameters): .uri(path: path, parameters)
    case .memory, .sharedMemory, .temporary: self
    }
  }

  /// Whether the location itself forbids writing.
  var isReadOnly: Bool {
    guard case .uri(_, let parameters) = self else { return false }
    return parameters.mode == .readOnly || parameters.isImmutable
  }

  /// The same file, for reading alone or without making it, whatever more the location allows.
  func narrowed(to mode: Database.URIParameters.Mode) -> Database.Location {
    switch self {
    case .file(let path): return .uri(path: path, Database.URIParameters(mode: mode))
    case .uri(let path, var parameters):
      if parameters.mode != .readOnly, parameters.mode != .memory { parameters.mode = mode }
      return .uri(path: path, parameters)
    case .memory, .sharedMemory, .temporary: return self
    }
  }

  /// What SQLite is given as the name of the file. It reads URIs, so that a path must not look like
  /// one.
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
            code: .cannotOpen, message: "a parameter has no name or holds a NUL character")
        }
        let name = Self.escaped(name, keepsSlashes: false)
        return "\(name)=\(Self.escaped(value, keepsSlashes: true))"
      }
      // What follows two slashes is the name of a host, which must be empty.
      let start = path.hasPrefix("/") ? "file://" : "file:"
      return start + path + (query.isEmpty ? "" : "?") + query.joined(separator: "&")
    }
  }

  /// A path that is no URI and none of SQLite's special names.
  static func checked(_ path: String, _ what: String) throws(SQLiteError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(
        code: .cannotOpen,
        message: "the \(what) \(path.isEmpty ? "is empty" : "holds a NUL character")")
    }
    // By bytes, as SQLite does: to Swift, the colon and an accent after it are one character.
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
  /// The parameters as they stand in a URI, in a fixed order.
  fileprivate var pairs: [(String, String)] {
    var pairs: [(String, String)] = []
    if let mode { pairs.append(("mode", mode.rawValue)) }
    if let cache { pairs.append(("cache", cache.rawValue)) }
    if isImmutable { pairs.append(("immutable", "1")) }
    if takesNoLocks { pairs.append(("nolock", "1")) }
    if let isPowersafe { pairs.append(("psow", isPowersafe ? "1" : "0")) }
    if let virtualFileSystem { pairs.append(("vfs", virtualFileSystem)) }
    return pairs + others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
