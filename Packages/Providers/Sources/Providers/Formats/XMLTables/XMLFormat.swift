internal import SQLiteCore

/// The table format of XML files.
struct XMLFormat: TableFormat {
  private let options: XMLProvider.Options

  /// The layout of a file.
  enum Layout: Sendable {
    /// Holt's document layout, indented by this number of spaces per level.
    case database(indentation: Int?)
    case document(XMLTablesLayout)
  }

  init(_ options: XMLProvider.Options = XMLProvider.Options()) { self.options = options }

  var newLayout: Layout { .database(indentation: 2) }

  // MARK: Reading

  func read(_ input: SourceSession.ByteInput, into tables: TableCollector) throws -> Layout {
    let known = tables.inferredStructure as? XMLStructure
    let prologue = try XMLPrologue(input, options, hasKnownStructure: known != nil)
    if options.layout.map({ $0 == .database }) ?? prologue.isDatabase {
      var reader = try XMLDatabaseReader(
        XMLEventReader(options: readerOptions(), chunks: prologue.pieces(then: input)),
        into: tables.connection)
      try reader.read()
      return .database(indentation: prologue.indentation)
    }
    tables.declaredTypes = options.columnTypes
    tables.declaredKeys = options.primaryKeys
    let structure = known ?? prologue.structure
    let roles = XMLElementRoles(structure, rows: options.rows)
    var documents = readerOptions()
    documents.hasComments = true
    documents.hasProcessingInstructions = true
    documents.keepsWhitespace = roles.hasMarkup(in: structure)
    var reader = XMLTablesReader(
      try XMLEventReader(options: documents, chunks: prologue.pieces(then: input)), structure,
      rows: options.rows, into: tables)
    var layout = try reader.read()
    layout.indentation = prologue.indentation
    layout.documentType = prologue.documentType
    return .document(layout)
  }

  private func readerOptions() -> XMLEventReader.Options {
    XMLEventReader.Options(limits: options.limits)
  }

  // MARK: Writing

  func write(
    _ contents: Connection, as layout: Layout, to output: SourceSession.ByteOutput
  ) throws -> Layout {
    switch layout {
    case .document(let document) where !options.writesDatabases:
      try Self.check(DatabaseContents(contents), document)
      try XMLTablesWriter(document, contents, to: output).write()
      return layout
    case .document(let document):
      try write(contents, indentation: document.indentation, to: output)
      return .database(indentation: document.indentation)
    case .database(let indentation):
      try write(contents, indentation: indentation, to: output)
      return layout
    }
  }

  private func write(
    _ contents: Connection, indentation: Int?, to output: SourceSession.ByteOutput
  ) throws {
    var document = try XMLDatabaseWriter(indentation: indentation, to: output)
    try document.write(contents)
    try document.finish()
  }

  static func unrepresentable(
    _ message: String, table: String? = nil, column: String? = nil
  ) -> ProviderError {
    ProviderError(
      .unrepresentable,
      "\(message); use Holt's document layout: see XMLProvider.Options.writesDatabases",
      table: table,
      column: column)
  }

  /// Refuses anything that an ordinary document can't represent.
  private static func check(_ contents: DatabaseContents, _ layout: XMLTablesLayout) throws {
    if let (name, value) = contents.nonzeroPragma {
      throw unrepresentable("an ordinary document can't contain \(name), which is \(value)")
    }
    for table in contents.tables {
      if let column = table.generatedColumn {
        throw unrepresentable(
          "an ordinary document can't contain generated columns",
          table: table.name, column: column.name)
      }
      guard let known = layout.tables.first(where: { SQLName.isSame($0.name, table.name) }),
        table.schema.kind == .table
      else {
        throw unrepresentable(
          "the document has no place for a new table", table: table.name)
      }
      let parent = known.parent.map { _ in XMLTablesLayout.parentColumn }
      for constraint in table.schema.constraints(besideKey: known.key, parent: parent) {
        throw unrepresentable(
          "an ordinary document can't contain constraints: \(constraint.sql)",
          table: table.name)
      }
      for index in table.schema.indexes where index.isUnique && index.origin == .statement {
        throw unrepresentable(
          "an ordinary document can't contain the unique index \(index.name)", table: table.name)
      }
    }
    for statement in contents.statements where DDLStatement(statement) != .index {
      throw unrepresentable("an ordinary document can't contain views or triggers")
    }
  }
}

/// The beginning of a file, which is buffered, and the properties that it reveals.
struct XMLPrologue {
  private let bytes: [[UInt8]]
  /// A Boolean value that indicates whether the file has Holt's document layout.
  private(set) var isDatabase = false
  private(set) var structure = XMLStructure()
  private(set) var indentation: Int?
  private(set) var documentType: [UInt8]?

  /// Thrown at the end of the buffered beginning of a longer file.
  private struct EndOfPrefix: Error {}

  /// The minimum number of bytes to examine.
  private static let length = 1 << 18

  init(
    _ input: SourceSession.ByteInput, _ options: XMLProvider.Options, hasKnownStructure: Bool
  ) throws {
    var bytes: [[UInt8]] = []
    var count = 0
    var isWhole = false
    while count < Self.length, !isWhole {
      if let piece = try input.next() {
        count += piece.count
        bytes.append(piece)
      } else {
        isWhole = true
      }
    }
    self.bytes = bytes
    var readerOptions = XMLEventReader.Options(limits: options.limits)
    readerOptions.hasComments = true
    readerOptions.hasProcessingInstructions = true
    let chunks = Self.pieces(bytes) { [isWhole] in
      if isWhole { return nil }
      throw EndOfPrefix()
    }
    var reader = try XMLEventReader(options: readerOptions, chunks: chunks)
    documentType = XMLPrologue.documentType(in: bytes.first ?? [])
    do {
      try read(&reader, isDatabaseForced: options.layout.map { $0 == .database }, hasKnownStructure)
    } catch is EndOfPrefix {
      return
    }
  }

  /// Returns a source of the buffered pieces and of the input's remaining pieces.
  func pieces(then input: SourceSession.ByteInput) -> () throws -> [UInt8]? {
    Self.pieces(bytes) { try input.next() }
  }

  private static func pieces(
    _ bytes: [[UInt8]], then rest: @escaping () throws -> [UInt8]?
  ) -> () throws -> [UInt8]? {
    var iterator = bytes.makeIterator()
    return { try iterator.next() ?? rest() }
  }

  private mutating func read(
    _ reader: inout XMLEventReader, isDatabaseForced: Bool?, _ hasKnownStructure: Bool
  ) throws {
    var scanner = XMLStructureScanner(XMLStructure())
    defer { structure = scanner.tracker.structure }
    var rootLine = 1
    var isCandidate = false
    var hasChild = false
    while let event = try reader.next() {
      if case .startElement(let name) = event, reader.depth == 0 {
        rootLine = reader.position.line
        let version = reader.intern("version")
        isCandidate =
          reader.localName(of: name) == "database" && reader.namespace(of: name) == nil
          && reader.attribute(version) != nil
      } else if case .startElement(let name) = event, reader.depth == 1, !hasChild {
        hasChild = true
        let position = reader.position
        if position.line > rootLine { indentation = (position.column ?? 1) - 1 }
        let local = reader.localName(of: name)
        let isTable = local == "table" && reader.attribute(reader.intern("name")) != nil
        isDatabase = isCandidate && (isTable || local == "schema")
        if isDatabaseForced ?? isDatabase || hasKnownStructure { return }
      }
      try scanner.scan(event, reader)
    }
    if isCandidate, !hasChild { isDatabase = true }
  }

  /// Returns the document type of a file in an ASCII-compatible encoding, verbatim. The reader has
  /// already refused document types that can't be skipped.
  private static func documentType(in bytes: [UInt8]) -> [UInt8]? {
    var at = 0
    while let open = bytes[at...].firstIndex(of: 0x3C) {
      let rest = bytes[open...]
      if rest.starts(with: "<!DOCTYPE".utf8) {
        guard let end = endOfDocumentType(rest) else { return nil }
        return Array(bytes[open..<end])
      }
      let ends: [(String, String)] = [("<?", "?>"), ("<!--", "-->")]
      guard let (_, end) = ends.first(where: { rest.starts(with: $0.0.utf8) }),
        let close = rest.firstRange(of: Array(end.utf8))
      else { return nil }
      at = close.upperBound
    }
    return nil
  }

  private static func endOfDocumentType(_ bytes: ArraySlice<UInt8>) -> Int? {
    var quote: UInt8?
    var isInBrackets = false
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let byte = bytes[at]
      if let open = quote {
        if byte == open { quote = nil }
      } else if bytes[at...].starts(with: "<!--".utf8) {
        guard let end = bytes[at...].firstRange(of: Array("-->".utf8)) else { return nil }
        at = end.upperBound
        continue
      } else {
        switch byte {
        case 0x22, 0x27: quote = byte
        case 0x5B: isInBrackets = true
        case 0x5D: isInBrackets = false
        case 0x3E where !isInBrackets: return at + 1
        default: break
        }
      }
      at += 1
    }
    return nil
  }
}
