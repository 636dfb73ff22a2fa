import ArgumentParser
import Foundation
import Primitives
import Providers

/// The options with which files are read.
struct ReadingOptions: Hashable, Sendable {
  /// The files' format; `nil` to detect it for each file.
  var format: FileFormat?
  var csv = CSVProvider.Options()
  var badRows = BadRows.stop
  var nesting = JSONProvider.Options.Nesting.columns
  /// A Boolean value that indicates whether loaded files are cached.
  var usesCache = false
  /// A Boolean value that indicates whether a file must have all columns whose types are specified.
  var requiresTypedColumns = true

  init(format: FileFormat? = nil) { self.format = format }

  /// Returns the options for files of which each can have only a part of the specified columns.
  func forSeveralFiles(_ count: Int) -> ReadingOptions {
    var options = self
    if count > 1 { options.requiresTypedColumns = false }
    return options
  }
}

/// The values of `--bad-rows`.
enum BadRows: String, CaseIterable, ExpressibleByArgument { case stop, skip, collect }

/// The values of `--encoding`.
enum EncodingArgument: String, CaseIterable, ExpressibleByArgument {
  case utf8, utf16le, utf16be, latin1, windows1252

  init?(argument: String) {
    let name = argument.lowercased().filter { $0 != "-" && $0 != "_" }
    self.init(rawValue: ["iso88591": "latin1", "cp1252": "windows1252"][name] ?? name)
  }

  var encoding: CSVProvider.TextEncoding {
    switch self {
    case .utf8: .utf8
    case .utf16le: .utf16LittleEndian
    case .utf16be: .utf16BigEndian
    case .latin1: .latin1
    case .windows1252: .windows1252
    }
  }
}

/// The values of `--nesting`.
enum NestingArgument: String, CaseIterable, ExpressibleByArgument {
  case columns, tables, json

  var nesting: JSONProvider.Options.Nesting {
    switch self {
    case .columns: .columns
    case .tables: .tables
    case .json: .json
    }
  }
}

/// The command-line options for reading files.
struct InputOptions: ParsableArguments {
  @Option(help: ArgumentHelp("CSV: the character between fields, or tab.", valueName: "character"))
  var delimiter: String?

  @Option(help: ArgumentHelp("CSV: the quotation mark, or none.", valueName: "character"))
  var quote: String?

  @Flag(
    inversion: .prefixedNo, help: "CSV: whether the first row contains the column names.")
  var header: Bool?

  @Option(help: "CSV: the encoding: utf8, utf16le, utf16be, latin1 or windows1252.")
  var encoding: EncodingArgument?

  @Option(
    help: ArgumentHelp("CSV: the text that represents NULL, instead of none.", valueName: "text"))
  var null: String?

  @Option(help: ArgumentHelp("CSV: the number of lines to skip at the beginning.", valueName: "n"))
  var skip = 0

  @Option(
    help: ArgumentHelp("CSV: the first character of comment lines.", valueName: "character"))
  var comment: String?

  @Option(
    help: ArgumentHelp(
      "CSV: the types of columns: INTEGER, REAL, TEXT, BOOLEAN, DATE, DATETIME, DECIMAL or JSON.",
      valueName: "name=TYPE,…"))
  var types: [String] = []

  @Option(
    help: ArgumentHelp(
      "CSV: stop at a bad row (the default), skip bad rows, or collect them in TABLE_errors."))
  var badRows: BadRows = .stop

  @Option(help: ArgumentHelp("CSV: read only the first rows.", valueName: "n"))
  var sample: Int?

  @Option(
    help: ArgumentHelp(
      "JSON: nested values are columns, tables or json. The default is json if the destination of a "
        + "conversion has objects, and columns otherwise."))
  var nesting: NestingArgument?

  @Flag(
    help: "Keep loaded files in ~/.cache/holt, so that an unchanged file is not loaded again.")
  var cache = false

  func validate() throws {
    for (option, text) in [("delimiter", delimiter), ("quote", quote), ("comment", comment)] {
      if let text, Self.byte(text) == nil, !(option == "quote" && text == "none") {
        throw ValidationError("--\(option) expects one ASCII character, got \(text)")
      }
    }
    if skip < 0 { throw ValidationError("--skip must be at least 0") }
    if let sample, sample < 1 { throw ValidationError("--sample must be at least 1") }
    for text in types {
      for part in text.split(separator: ",") where Self.columnType(part) == nil {
        throw ValidationError("--types expects name=TYPE, got \(part)")
      }
    }
  }

  /// The option that reads only a part of a file, so that the file can't be written.
  var partialOption: String? {
    if skip > 0 { return "--skip" }
    if comment != nil { return "--comment" }
    if sample != nil { return "--sample" }
    return badRows == .stop ? nil : "--bad-rows"
  }

  /// - Parameter keepsTrees: Whether an object in a row of JSON is one column by default.
  func values(format: FileFormat?, keepsTrees: Bool = false) -> ReadingOptions {
    var options = ReadingOptions(format: format)
    options.csv.delimiter = delimiter.flatMap(Self.byte)
    options.csv.quote = quote.map { text in
      text == "none" ? .none : Self.byte(text).map { .byte($0) } ?? .none
    }
    options.csv.hasHeader = header
    options.csv.encoding = encoding?.encoding
    options.csv.nullText = null
    options.csv.skippedLineCount = skip
    options.csv.comment = comment.flatMap(Self.byte)
    options.csv.maximumRecordCount = sample
    options.csv.badRecords = badRows == .stop ? .refused : .collected
    for part in types.flatMap({ $0.split(separator: ",") }) {
      if let (name, type) = Self.columnType(part) { options.csv.columnTypes[name] = type }
    }
    options.usesCache = cache
    options.badRows = badRows
    options.nesting = nesting?.nesting ?? (keepsTrees ? .json : .columns)
    return options
  }

  private static func byte(_ text: String) -> UInt8? {
    switch text.lowercased() {
    case "tab", "\\t": return 0x09
    case "space": return 0x20
    default:
      guard text.utf8.count == 1, let byte = text.utf8.first, byte < 0x80, byte != 0x0A,
        byte != 0x0D, byte != 0
      else { return nil }
      return byte
    }
  }

  private static func columnType(
    _ text: Substring
  ) -> (name: String, type: TableCollector.ColumnType)? {
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else { return nil }
    let type: TableCollector.ColumnType
    switch text[text.index(after: equals)...].uppercased() {
    case "INTEGER", "INT", "BIGINT": type = .integer
    case "REAL", "DOUBLE", "FLOAT": type = .real
    case "TEXT", "STRING", "VARCHAR": type = .text
    case "BOOLEAN", "BOOL": type = .boolean
    case "DATE": type = .date
    case "DATETIME", "TIMESTAMP": type = .dateTime
    case "JSON": type = .json
    case "DECIMAL", "NUMERIC": type = .decimal
    default: return nil
    }
    return (text[..<equals].trimmingCharacters(in: .whitespaces), type)
  }
}
