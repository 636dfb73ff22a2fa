/// How a connection is opened. The defaults are the safe ones; what differs is asked for.
public struct Configuration: Sendable {
  /// Whether nothing may be written. A database that does not exist is then an error.
  public var isReadOnly = false
  /// Whether references between tables are enforced.
  public var enforcesForeignKeys = true
  /// Whether a file that does not exist is made. Where not, opening it fails with
  /// ``SQLiteError/Code/cannotOpen``.
  public var createsFile = true
  /// What a statement does that meets another connection's lock, before it fails with
  /// ``SQLiteError/Code/busy``.
  public var busyPolicy = BusyPolicy.wait(upTo: .seconds(5))
  /// How a file's changes are kept until they are in it. A database in memory has its own way.
  public var journalMode: JournalMode = .wal
  /// When the operating system is asked to write to the disk: as ``Synchronous/normal`` with a
  /// write-ahead log, as ``Synchronous/full`` without one, unless you say otherwise.
  public var synchronous: Synchronous {
    get { chosenSynchronous ?? (journalMode == .wal ? .normal : .full) }
    set { chosenSynchronous = newValue }
  }
  private var chosenSynchronous: Synchronous?
  /// Whether `"name"` that names nothing is taken for a text: SQLite's old habit, and its worst.
  public var allowsDoubleQuotedStrings = false
  /// Whether functions and virtual tables not marked harmless may be used by the schema itself: in
  /// triggers and views, say.
  ///
  /// Up to release 3.40 at least, SQLite does not mark its own full-text tables: triggers that keep
  /// an FTS5 index up to date need this there, and are refused as SQLite compiles them without.
  /// Switch it on for files that only your program makes.
  public var trustsSchema = false
  /// Whether statements that can corrupt the file on purpose are refused.
  public var isDefensive = true
  /// How many compiled statements each connection keeps.
  public var statementCacheCapacity = 128
  /// How many reads of one file may run at once.
  public var maximumReaderCount = 5
  /// The name of the virtual file system that files are opened through; `nil` for SQLite's default.
  ///
  /// One that is not registered is ``SQLiteError/Code/error``, as the file is opened.
  public var virtualFileSystem: String?
  #if SQLCipher
    /// The key with which a file is encrypted; `nil` if it is not. Each connection that is opened has it before
    /// anything is read. A database in memory and a temporary one are not encrypted.
    ///
    /// A key that is not the file's is ``SQLiteError/Code/wrongKey``, as the file is opened.
    public var key: EncryptionKey?
  #endif
  /// Whether errors carry their statement with its values written in.
  public var showsValuesInErrors = false
  /// How many pages a write-ahead log may have before a commit brings them into the file; 0 for
  /// never.
  public var automaticCheckpointPages = Configuration.defaultCheckpointPages
  /// Tells the time, in seconds since the beginning of 1970: what ``Connection/transactionTime``
  /// asks.
  public var clock: @Sendable () -> Double = { SystemClock.secondsSince1970 }
  /// The extensions that each connection loads as it is opened, before ``prepare``.
  ///
  /// One that can't be loaded fails the opening, with the words of the loader or of the extension.
  public var extensions: [LoadableExtension] = []
  /// Prepares each connection as it is opened: functions, collations, PRAGMAs of your own. Those of a
  /// database's readers can't write.
  public var prepare: (@Sendable (Connection) throws -> Void)?

  public init() {}

  /// SQLite's own default.
  static let defaultCheckpointPages = 1_000

  /// How long a statement waits for another connection's lock: ``busyPolicy`` as a time.
  ///
  /// Zero where the policy is another one than to wait. Setting it makes it that one.
  public var busyTimeout: Duration {
    get { if case .wait(let limit) = busyPolicy { limit } else { .zero } }
    set { busyPolicy = .wait(upTo: newValue) }
  }

  var openFlags: Int32 {
    if isReadOnly { return OpenFlags.readOnly }
    return createsFile ? OpenFlags.readWriteCreate : OpenFlags.readWrite
  }

  /// SQLite's journal modes.
  public enum JournalMode: String, Hashable, Sendable, CaseIterable {
    case delete = "DELETE"
    case truncate = "TRUNCATE"
    case persist = "PERSIST"
    case wal = "WAL"
  }

  /// SQLite's `synchronous` levels.
  public enum Synchronous: Int, Hashable, Sendable, CaseIterable {
    /// A loss of power may corrupt the file.
    case off = 0
    /// With a write-ahead log, a loss of power may undo the last commits, and corrupts nothing. With
    /// another journal it may corrupt the file, as SQLite's own documentation has it:
    /// https://sqlite.org/pragma.html#pragma_synchronous
    case normal = 1
    /// A commit that has returned is on the disk. With ``JournalMode/delete`` a loss of power may yet
    /// undo the last one, where the file system keeps a file's removal for later.
    case full = 2
    /// As ``full``, and the removal of a journal is on the disk too.
    case extra = 3
  }
}

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
