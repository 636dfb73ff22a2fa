internal import SQLiteCore

/// Files in CSV and its kin, each as one table.
struct CSVFormat: TableFormat {
  let options: CSVProvider.Options

  var newLayout: CSVLayout {
    var dialect = options.dialect ?? CSVProvider.Dialect()
    if let hasHeader = options.hasHeader { dialect.hasHeader = hasHeader }
    return CSVLayout(
      encoding: options.encoding ?? .utf8,
      hasByteOrderMark: [.utf16BigEndian, .utf16LittleEndian].contains(options.encoding),
      dialect: dialect, isTold: options.dialect != nil, nullText: options.nullText,
      isNew: options.dialect == nil)
  }

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> CSVLayout {
    var reader = try CSVTableReader(input, options)
    return try reader.read(into: tables)
  }

  func write(
    _ contents: Connection, as layout: CSVLayout, to output: SourceSession.ByteOutput
  ) throws -> CSVLayout {
    var layout = layout
    if layout.isNew, Self.isNamedForTabs(output.path) { layout.dialect.delimiter = 0x09 }
    layout.isNew = false
    try CSVTableWriter(MirrorContents(contents), layout, options).write(from: contents, to: output)
    return layout
  }

  static func isNamedForTabs(_ path: String?) -> Bool {
    guard let path = path?.lowercased() else { return false }
    return path.hasSuffix(".tsv") || path.hasSuffix(".tab")
  }
}
