/// The configuration of a connection. The defaults are safe.
public struct Configuration: Sendable {
  /// Indicates whether the database is opened read-only. Opening a missing database read-only fails.
  public var isReadOnly = false
  /// Indicates whether foreign keys are enforced.
  public var enforcesForeignKeys = true
  /// Indicates whether a missing file is created. Otherwise, opening it fails with ``SQLiteError/Code/cannotOpen``.
  public var createsFile = true
  /// The behavior of a statement that encounters another connection's lock, before it fails with
  /// ``SQLiteError/Code/busy``.
  public var busyPolicy = BusyPolicy.wait(upTo: .seconds(5))
  /// The journal mode of a file. An in-memory database has its own mode.
  public var journalMode: JournalMode = .wal
  /// The level of synchronization with the disk. The default is ``Synchronous/normal`` with a write-ahead log and
  /// ``Synchronous/full`` without one.
  public var synchronous: Synchronous {
    get { chosenSynchronous ?? (journalMode == .wal ? .normal : .full) }
    set { chosenSynchronous = newValue }
  }
  private var chosenSynchronous: Synchronous?
  /// Indicates whether an unknown `"name"` in double quotes is treated as a string literal, a misfeature of SQLite.
  public var allowsDoubleQuotedStrings = false
  /// Indicates whether the schema, for example in triggers and views, may use functions and virtual tables that are not
  /// marked as innocuous.
  ///
  /// At least up to release 3.40, SQLite does not mark its own full-text tables: triggers that update an FTS5 index
  /// fail to compile unless this is `true`. Enable it only for files that your program creates.
  public var trustsSchema = false
  /// Indicates whether statements that can deliberately corrupt the file are refused.
  public var isDefensive = true
  /// The number of compiled statements that each connection caches.
  public var statementCacheCapacity = 128
  /// The maximum number of concurrent reads of a file.
  public var maximumReaderCount = 5
  /// The name of the virtual file system, or `nil` for SQLite's default.
  ///
  /// If no virtual file system with this name is registered, opening a file fails with ``SQLiteError/Code/error``.
  public var virtualFileSystem: String?
  #if SQLCipher
    /// The key of an encrypted file, or `nil` if the file is not encrypted. Each connection applies it before it reads
    /// anything. In-memory and temporary databases are not encrypted.
    ///
    /// With a wrong key, opening the file fails with ``SQLiteError/Code/wrongKey``.
    public var key: EncryptionKey?
    /// The SQLCipher release whose file format is used; `nil` for the linked release.
    ///
    /// It has no effect without a ``key``. Attached and exported files always have the linked release's format, so
    /// ``Connection/export(to:key:)`` can upgrade a file's format.
    ///
    /// If the file has another format, opening it fails with ``SQLiteError/Code/wrongKey``.
    public var cipherCompatibility: CipherCompatibility?
  #endif
  /// Indicates whether errors contain the expanded SQL, with bound values.
  public var showsValuesInErrors = false
  /// The number of pages in the write-ahead log that triggers a checkpoint after a commit, or 0 for no
  /// automatic checkpoints.
  public var automaticCheckpointPages = Configuration.defaultCheckpointPages
  /// Returns the current time in seconds since 1970, for ``Connection/transactionTime``.
  public var clock: @Sendable () -> Double = { Configuration.systemTime }
  /// The extensions that each connection loads when it is opened, before ``prepare``.
  ///
  /// If an extension can't be loaded, opening fails with the loader's or the extension's message.
  public var extensions: [LoadableExtension] = []
  /// Prepares each connection when it is opened, for example by registering functions and collations or setting
  /// PRAGMAs. Reader connections of a database can't write here.
  public var prepare: (@Sendable (Connection) throws -> Void)?

  public init() {}

  /// SQLite's default.
  static let defaultCheckpointPages = 1_000

  /// The time that a statement waits for another connection's lock: ``busyPolicy`` as a duration.
  ///
  /// Zero for a policy other than waiting. Setting it changes the policy to waiting.
  public var busyTimeout: Duration {
    get { if case .wait(let limit) = busyPolicy { limit } else { .zero } }
    set { busyPolicy = .wait(upTo: newValue) }
  }

  #if SQLCipher
    /// The file formats of SQLCipher's releases, which differ in the derivation of keys, the algorithms and the pages'
    /// size: https://www.zetetic.net/sqlcipher/sqlcipher-api/#cipher_compatibility
    public enum CipherCompatibility: Int, Hashable, Sendable, CaseIterable {
      case version1 = 1
      case version2
      case version3
      case version4
    }
  #endif

  /// SQLite's journal modes.
  public enum JournalMode: String, Hashable, Sendable, CaseIterable {
    case delete = "DELETE"
    case truncate = "TRUNCATE"
    case persist = "PERSIST"
    case wal = "WAL"
  }

  /// SQLite's `synchronous` levels.
  public enum Synchronous: Int, Hashable, Sendable, CaseIterable {
    /// A power loss can corrupt the file.
    case off = 0
    /// With a write-ahead log, a power loss can undo the last commits, but does not corrupt the file. With another
    /// journal mode it can corrupt the file, according to SQLite's documentation:
    /// https://sqlite.org/pragma.html#pragma_synchronous
    case normal = 1
    /// A completed commit is durable. With ``JournalMode/delete``, a power loss can still undo the last commit if the
    /// file system defers the removal of files.
    case full = 2
    /// Like ``full``, and the removal of the journal is durable, too.
    case extra = 3
  }
}

extension Configuration {
  /// A loadable extension of SQLite: a library of functions, collations and virtual tables in C.
  ///
  /// An extension runs with all permissions of the program. Only the extensions in the configuration are loaded: SQL
  /// can't load any, since `load_extension()` is disabled.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.extensions = [Configuration.LoadableExtension(path: "/usr/lib/sqlite3/pcre.so")]
  /// ```
  public struct LoadableExtension: Hashable, Sendable {
    /// The path of the library. If it has no suffix, SQLite adds the platform's.
    public var path: String
    /// The library's entry point, or `nil` for the name that SQLite derives from the library's: `sqlite3_pcre_init` for
    /// `libpcre.so`.
    public var entryPoint: String?

    public init(path: String, entryPoint: String? = nil) {
      self.path = path
      self.entryPoint = entryPoint
    }
  }
}
