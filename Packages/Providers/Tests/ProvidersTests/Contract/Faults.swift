import ProviderTesting
import Providers
import SQLiteCore

/// A fault of a provider, and the topics whose rules detect it.
struct Fault: Sendable, CustomStringConvertible {
  let description: String
  let topics: [Conformance.Topic]
  let candidate: Candidate

  fileprivate init(
    _ description: String, _ topics: Conformance.Topic..., of base: Candidate = Candidates.dump,
    make: @escaping @Sendable (SourceSession.Directories) -> any DataProvider
  ) {
    self.description = description
    self.topics = topics
    candidate = Candidate(
      description, fileExtension: base.fileExtension, supporting: base.capabilities,
      folder: base.folder, make: make)
  }

  static let all: [Fault] = inFormats + inStores + inDatabases + inAccesses

  // MARK: Formats

  /// A format that corrupts the content that it reads.
  private static func format(
    _ description: String, _ topics: Conformance.Topic...,
    spoils: @escaping @Sendable (Connection) throws -> Void
  ) -> Fault {
    var fault = Fault(description) {
      DumpProvider(
        store: SourceSession.FileStore(format: DumpFormat(spoils: spoils)), directories: $0)
    }
    fault = Fault(fault, topics: topics)
    return fault
  }

  private init(_ fault: Fault, topics: [Conformance.Topic]) {
    description = fault.description
    self.topics = topics
    candidate = fault.candidate
  }

  /// SQL to run for each column of each table; `%` represents the column.
  private static func values(
    _ description: String, _ topic: Conformance.Topic, _ change: String
  ) -> Fault {
    format(description, topic) { connection in
      for table in try connection.tables() where table.kind == .table {
        for column in table.columns where column.kind == .stored {
          let sql = change.split(separator: "%", omittingEmptySubsequences: false)
            .joined(separator: SQLName.quoted(column.name))
          try? connection.execute("UPDATE \(identifier: table.name.name) SET \(unsafe: sql)")
        }
      }
    }
  }

  private static func drops(_ kind: String, _ topic: Conformance.Topic) -> Fault {
    format("loses every \(kind)", topic) { connection in
      let names = try connection.values(
        String.self, "SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL", kind)
      for name in names { try connection.execute("DROP \(unsafe: kind) \(identifier: name)") }
    }
  }

  private static let inFormats: [Fault] = [
    values("reads NULL as an empty text", .values, "% = '' WHERE % IS NULL"),
    values("reads an empty text as NULL", .texts, "% = NULL WHERE % = ''"),
    values(
      "rounds integers", .values,
      "% = CAST(CAST(% AS REAL) AS INTEGER) WHERE typeof(%) = 'integer' AND abs(% / 2) > 9e15"),
    values("rounds numbers", .values, "% = round(%, 6) WHERE typeof(%) = 'real'"),
    values("loses infinities", .values, "% = 1e308 WHERE % > 1.7e308 AND typeof(%) = 'real'"),
    values("reads numbers as texts", .values, "% = CAST(% AS TEXT) WHERE typeof(%) = 'integer'"),
    values("reads texts as numbers", .texts, "% = CAST(% AS INTEGER) WHERE % GLOB '[0-9]*'"),
    values("reads blobs as texts", .values, "% = CAST(% AS TEXT) WHERE typeof(%) = 'blob'"),
    values("loses spaces", .texts, "% = trim(%) WHERE typeof(%) = 'text'"),
    values("loses line breaks", .texts, "% = replace(%, char(10), ' ')"),
    values("loses carriage returns", .texts, "% = replace(%, char(13, 10), char(10))"),
    values("composes characters", .texts, "% = replace(%, 'e' || char(0x301), 'é')"),
    values(
      "truncates texts", .texts, "% = substr(%, 1, instr(%, char(0))) WHERE instr(%, char(0))"),
    values("loses control characters", .texts, "% = replace(%, char(7), '')"),
    values("loses a byte order mark", .texts, "% = replace(%, char(0xFEFF), '')"),
    values("truncates long texts", .size, "% = substr(%, 1, 65536) WHERE length(%) > 65536"),
    drops("index", .schema), drops("view", .schema), drops("trigger", .schema),
    format("loses the last row", .opening) { connection in
      for table in try connection.tables() where table.kind == .table && !table.isWithoutRowID {
        let name = SQLName.quoted(table.name.name)
        try? connection.execute(
          "DELETE FROM \(unsafe: name) WHERE rowid = (SELECT max(rowid) FROM \(unsafe: name))")
      }
    },
    format("reverses rows", .values) { connection in
      for table in try connection.tables() where table.kind == .table && !table.isWithoutRowID {
        try? connection.execute("UPDATE \(identifier: table.name.name) SET rowid = -rowid")
      }
    },
    format("loses empty tables", .persisting, .schema) { connection in
      for table in try connection.tables() where table.kind == .table {
        let name = SQLName.quoted(table.name.name)
        if try connection.value(Int.self, "SELECT count(*) FROM \(unsafe: name)") == 0 {
          try connection.execute("DROP TABLE \(unsafe: name)")
        }
      }
    },
    format("loses the AUTOINCREMENT sequence", .ids, .schema) { connection in
      try? connection.execute("DELETE FROM sqlite_sequence")
    },
    format("loses the user version", .persisting, .schema) { connection in
      try connection.execute("PRAGMA user_version = 0")
    },
    format("loses types", .values) { connection in
      for table in try connection.tables() where table.kind == .table {
        let name = SQLName.quoted(table.name.name)
        try connection.execute(
          """
          CREATE TABLE "spoilt table" AS SELECT * FROM \(unsafe: name); DROP TABLE \(unsafe: name);
          ALTER TABLE "spoilt table" RENAME TO \(unsafe: name)
          """)
      }
    },
    format("lowercases names", .identifiers) { connection in
      for table in try connection.tables() where table.kind == .table {
        for column in table.columns where column.name != column.name.lowercased() {
          try connection.execute(
            """
            ALTER TABLE \(identifier: table.name.name) RENAME COLUMN
            \(identifier: column.name) TO \(identifier: column.name.lowercased())
            """)
        }
      }
    },
  ]

  // MARK: Stores

  private static func store(
    _ kind: FaultyStore.Kind, _ topics: Conformance.Topic..., of base: Candidate = Candidates.dump
  ) -> Fault {
    let store: any SourceSession.Store =
      base.capabilities.contains(.writesImmediately)
      ? SourceSession.SQLiteStore(configuration: Candidates.unsynced)
      : SourceSession.FileStore(format: DumpFormat())
    return Fault(
      Fault("\(kind.rawValue) (\(base))", of: base) {
        DumpProvider(store: FaultyStore(base: store, kind: kind), directories: $0)
      }, topics: topics)
  }

  private static let inStores: [Fault] = [
    store(.opensAnything, .opening), store(.makesWhatIsRead, .readOnly),
    store(.makesNothingAtOnce, .opening), store(.opensInMemory, .opening, .persisting),
    store(.persistsNothing, .persisting, .closing), store(.persistsAlways, .persisting),
    store(.hasNothingToPersist, .persisting, .closing),
    store(.overwritesOthers, .fileChanges), store(.overwritesNoOthers, .fileChanges),
    store(.savesNothing, .saving), store(.savesAndStays, .saving),
    store(.persistsBeforeSaving, .saving),
    store(.deletesNothing, .deleting), store(.deletesMissing, .deleting),
    store(.leavesFiles, .persisting, .closing), store(.closesNothing, .closed),
    store(.forgetsPermissions, .fileSystem), store(.replacesLinks, .fileSystem),
    store(.opensAnything, .opening, of: Candidates.sqlite),
    store(.makesWhatIsRead, .readOnly, of: Candidates.sqlite),
    store(.savesNothing, .saving, of: Candidates.sqlite),
    store(.savesAndStays, .saving, of: Candidates.sqlite),
    store(.deletesNothing, .deleting, of: Candidates.sqlite),
    store(.leavesFiles, .bundle, .closing, of: Candidates.sqlite),
  ]

  // MARK: Databases

  private static func database(
    _ description: String, _ topic: Conformance.Topic,
    _ change: @escaping @Sendable (inout Configuration) -> Void
  ) -> Fault {
    var fault = Fault(description, of: Candidates.sqlite) { directories in
      var configuration = Candidates.unsynced
      change(&configuration)
      return SQLiteProvider(configuration: configuration, directories: directories)
    }
    fault = Fault(fault, topics: [topic])
    return fault
  }

  private static let inDatabases: [Fault] = [
    database("ignores foreign keys", .executing) { configuration in
      configuration.prepare = { try $0.execute("PRAGMA foreign_keys = OFF") }
    },
    database("distinguishes case", .counts) { configuration in
      configuration.prepare = { try $0.execute("PRAGMA case_sensitive_like = ON") }
    },
    database("shows values in errors", .executing) { $0.showsValuesInErrors = true },
    database("reverses rows without an order", .streams) { configuration in
      configuration.prepare = { try $0.execute("PRAGMA reverse_unordered_selects = ON") }
    },
    database("renames columns", .queries) { configuration in
      configuration.prepare = {
        try $0.execute("PRAGMA short_column_names = OFF; PRAGMA full_column_names = ON")
      }
    },
  ]

  // MARK: Accesses

  private static func access(
    _ kind: FaultyProvider.Kind, _ topics: Conformance.Topic...
  ) -> Fault {
    Fault(
      Fault(kind.rawValue, of: Candidates.sqlite) { directories in
        FaultyProvider(
          kind, store: SourceSession.SQLiteStore(configuration: Candidates.unsynced),
          directories: directories)
      }, topics: topics)
  }

  private static let inAccesses: [Fault] = [
    access(.writesWithoutTransactions, .transactions, .executing), access(.writesTwice, .executing),
    access(.readsByWriting, .transactions, .streams), access(.readsTwice, .streams),
    access(.isNotShared, .opening), access(.forgetsTransactions, .openTransactions),
    access(.readsWhatIsClosed, .closed),
  ]
}
