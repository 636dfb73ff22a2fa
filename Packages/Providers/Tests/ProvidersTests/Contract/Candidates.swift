import Foundation
import ProviderTesting
import Providers
import SQLiteCore

typealias Conformance = ProviderConformance
typealias Candidate = ProviderConformance.Candidate

/// The providers that the contract is checked with.
enum Candidates {
  static let sqlite = Candidate(
    "SQLite", fileExtension: "db", supporting: .database, folder: folder
  ) { SQLiteProvider(configuration: unsynced, directories: $0) }

  static let sqliteInMemory = Candidate(
    "SQLite in memory", fileExtension: "db", supporting: .memory, folder: folder
  ) { SQLiteProvider(directories: $0) }

  static let dump = Candidate(
    "a test format", fileExtension: "sql", supporting: .file, folder: folder
  ) { DumpProvider(store: SourceSession.FileStore(format: DumpFormat()), directories: $0) }

  static let dumpInTemporaryFile = Candidate(
    "a test format with its tables in a temporary file", fileExtension: "sql",
    supporting: .file, folder: folder
  ) {
    DumpProvider(
      store: SourceSession.FileStore(format: DumpFormat(), place: .temporaryFile), directories: $0)
  }

  /// The providers of files whose tables are held in memory.
  static let files: [Candidate] = formats + [dump]

  /// All providers.
  static let all: [Candidate] = [sqlite, sqliteInMemory, dumpInTemporaryFile] + files

  /// The providers to check in a run of all tests, which would take too long with all providers.
  static let tried: [Candidate] = Reliability.isFull ? all : [sqlite] + formats

  private static let formats: [Candidate] = [
    Candidate("JSON", fileExtension: "json", supporting: .file, folder: folder) {
      JSONProvider(options: JSONProvider.Options(), directories: $0)
    },
    Candidate("XML", fileExtension: "xml", supporting: .file, folder: folder) {
      XMLProvider(options: XMLProvider.Options(), directories: $0)
    },
    Candidate("SPON", fileExtension: "spon", supporting: .file, folder: folder) {
      SPONProvider(place: .memory, directories: $0)
    },
    Candidate(
      "CSV", fileExtension: "csv",
      supporting: [.files, .persists, .largeIntegers, .controlCharacters],
      folder: folder
    ) { CSVProvider(options: csvOptions, directories: $0) },
  ]

  /// Capabilities that a table with text values does not have.
  private static let csvOptions: CSVProvider.Options = {
    var options = CSVProvider.Options()
    options.dialect = CSVProvider.Dialect()
    options.hasHeader = true
    return options
  }()

  /// A folder in memory, if possible, in which files are not synced to a disk.
  static let folder: String? = {
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil
  }()

  /// The durability after a power failure is not tested here.
  static let unsynced: Configuration = {
    var configuration = Configuration()
    configuration.synchronous = .off
    return configuration
  }()
}

/// The extent of the tests: all cases, or the cases that a run of all tests has time for.
enum Reliability {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all"
}
