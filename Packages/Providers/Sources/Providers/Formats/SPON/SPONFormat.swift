internal import SPON
internal import SQLiteCore

/// Files in SPON: the database file of the original, and arrays of objects.
struct SPONFormat: TableFormat {
  var newLayout: SPONLayout { .database(SPONDatabaseLayout()) }

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> SPONLayout {
    var source = SPONSource(input)
    guard let root = try source.next() else {
      throw source.failure(.truncated, "the text ends too early")
    }
    switch root.kind {
    case .beginObject(typeName: "DataStore"):
      var reader = SPONDatabaseReader(source, tables.connection)
      try reader.read()
      return .database(reader.layout)
    case .beginObject(let typeName):
      var reader = SPONPlainReader(source, tables.connection, fileName: input.name)
      return try reader.readObject(root, typeName: typeName)
    case .beginArray:
      var reader = SPONPlainReader(source, tables.connection, fileName: input.name)
      return try reader.readArray(root)
    default: throw source.failure(.malformed, "a single value holds no tables")
    }
  }

  func write(
    _ contents: Connection, as layout: SPONLayout, to output: SourceSession.ByteOutput
  ) throws -> SPONLayout {
    if case .database(let database) = layout {
      var document = SPONDatabaseWriter(contents, database, output)
      try document.write(contents)
    } else {
      try SPONPlainWriter(contents, layout).write(to: output)
    }
    return layout
  }
}
