import Foundation
import ProviderTesting
import Providers
import SQLiteCore

typealias Conformance = ProviderConformance
typealias Candidate = ProviderConformance.Candidate

/// The providers that the contract is held against.
enum Candidates {
  static let sqlite = Candidate(
    "SQLite", fileExtension: "db", supporting: .database, folder: folder
  ) { SQLiteProvider(configuration: unsynced, directories: $0) }

  static let sqliteInMemory = Candidate(
    "SQLite in memory", fileExtension: "db", supporting: .memory, folder: folder
  ) { SQLiteProvider(directories: $0) }

  static let dump = Candidate(
    "a format of the tests", fileExtension: "sql", supporting: .file, folder: folder
  ) { DumpProvider(store: SourceSession.FileStore(format: DumpFormat()), directories: $0) }

  static let dumpInTemporaryFile = Candidate(
    "a format of the tests, with its tables in a temporary file", fileExtension: "sql",
    supporting: .file, folder: folder
  ) {
    DumpProvider(
      store: SourceSession.FileStore(format: DumpFormat(), place: .temporaryFile), directories: $0)
  }

  /// Those that are files whose tables are held in memory.
  static let files: [Candidate] = formats + [dump]

  /// All of them.
  static let all: [Candidate] = [sqlite, sqliteInMemory, dumpInTemporaryFile] + files

  /// Those that are tried in a run of all tests, where all take long.
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

  /// What a table of any texts does not show by itself.
  private static let csvOptions: CSVProvider.Options = {
    var options = CSVProvider.Options()
    options.dialect = CSVProvider.Dialect()
    options.hasHeader = true
    return options
  }()

  /// Where no file waits for a disk.
  static let folder: String? = {
    FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : nil
  }()

  /// What is on the disk after a failure of power is not asked here.
  static let unsynced: Configuration = {
    var configuration = Configuration()
    configuration.synchronous = .off
    return configuration
  }()
}

/// How much is tried: all of it, or what a run of all tests has time for.
enum Reliability {
  static let isFull = ProcessInfo.processInfo.environment["HOLT_RELIABILITY"] == "all"
}
