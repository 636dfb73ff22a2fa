internal import Primitives
public import SQLSyntax

/// Fingerprints of a schema's objects, which change if an object changes.
///
/// A statement depends only on the objects whose names occur in its text, and on their own
/// dependencies: a view depends on its tables, and a table on its indexes and triggers. If the
/// fingerprint of these names is unchanged, so is the result of analyzing the statement, except
/// that error messages suggest similar names.
///
/// Fingerprints are only valid in the process that computed them.
public struct CatalogFingerprints: Sendable {
  fileprivate struct Object {
    var fingerprint: Int
    /// The names in the definitions of a view, a virtual table and triggers.
    var mentioned: [String]
  }

  /// The fingerprints by name, including the objects that the named object depends on.
  private var byName: [String: Int] = [:]
  /// The fingerprint of everything else that affects statements: schemas, the target.
  private let settings: Int
  /// The fingerprint of the whole schema.
  public let whole: Int
  /// The fingerprint of the names of all objects and columns.
  public let names: Int

  /// Computes the fingerprints of a schema.
  public init(_ catalog: Catalog) {
    var objects: [String: Object] = [:]
    var allNames: [String] = []
    for database in catalog.databases {
      for (key, table) in database.tables {
        objects.add(table.fingerprint, to: key, mentioning: table.mentionedNames)
        allNames.append(key.folded)
        allNames += table.columns.map(\.key.folded)
      }
      for (key, index) in database.indexes {
        let fingerprint = index.fingerprint
        objects.add(fingerprint, to: key, mentioning: [index.table.folded])
        objects.add(fingerprint, to: index.table, mentioning: [])
        allNames.append(key.folded)
      }
      for trigger in database.triggers.values {
        objects.add(
          trigger.fingerprint, to: trigger.table,
          mentioning: CatalogFingerprints.names(
            in: SourceText(
              bytes: Array(
                trigger.definition.source.bytes[trigger.definition.node.span.range]))))
      }
    }
    var settings = Hasher()
    settings.combine(catalog.functions.target)
    settings.combine(catalog.declarations)
    settings.combine(catalog.databases.map(\.name))
    settings.combine(catalog.isLegacyAlterTable)
    self.settings = settings.finalize()
    var whole = Hasher()
    whole.combine(self.settings)
    for (name, object) in objects.sorted(by: { $0.key < $1.key }) {
      whole.combine(name)
      whole.combine(object.fingerprint)
      byName[name] = Self.combined(name, objects)
    }
    self.whole = whole.finalize()
    names = Hasher.combining(allNames.sorted())
  }

  /// Returns the fingerprint of an object and of the objects that it depends on.
  private static func combined(_ name: String, _ objects: [String: Object]) -> Int {
    guard let object = objects[name] else { return 0 }
    if object.mentioned.isEmpty { return object.fingerprint }
    var reached: Set<String> = [name]
    var pending = object.mentioned
    while let next = pending.popLast() {
      guard reached.insert(next).inserted, let object = objects[next] else { continue }
      pending += object.mentioned
    }
    return Hasher.combining(reached.sorted().map { [$0.hashValue, objects[$0]?.fingerprint ?? 0] })
  }

  /// Returns the fingerprint of the objects with the given names. A name without an object counts
  /// too, since it may get one later.
  public func fingerprint(of names: [String]) -> Int {
    var hasher = Hasher()
    hasher.combine(settings)
    for name in names { hasher.combine(byName[name] ?? 0) }
    return hasher.finalize()
  }

  /// Returns the names that occur in a text, in the form in which SQLite compares them: its words,
  /// quoted names and strings, which may be names too.
  public static func names(in source: SourceText) -> [String] {
    var names: Set<String> = []
    for token in Lexer.tokenize(source, allowsDigitSeparators: true).tokens {
      switch token.kind {
      case .identifier, .string:
        names.insert(source.unquoted(token.span).asciiLowercased)
      case _ where token.kind.isKeyword: names.insert(source[token.span].asciiLowercased)
      default: break
      }
    }
    return names.sorted()
  }
}

extension Hasher {
  fileprivate static func combining(_ value: some Hashable) -> Int {
    var hasher = Hasher()
    hasher.combine(value)
    return hasher.finalize()
  }
}

extension SourceText {
  /// Returns the text of a name or string literal without its quotes.
  public func unquoted(_ span: ByteSpan) -> String {
    let bytes = bytes[span.range.clamped(to: 0..<byteCount)]
    guard bytes.count >= 2, let first = bytes.first else { return self[span] }
    let quote: UInt8
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = first
    case UInt8(ascii: "["):
      return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    default: return self[span]
    }
    var result: [UInt8] = []
    var isEscape = false
    for byte in bytes.dropFirst().dropLast() {
      if byte == quote, !isEscape {
        isEscape = true
        continue
      }
      isEscape = false
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension [String: CatalogFingerprints.Object] {
  /// Adds a part of an object. The order of the parts does not matter.
  fileprivate mutating func add(_ fingerprint: Int, to name: NameKey, mentioning names: [String]) {
    self[name.folded, default: .init(fingerprint: 0, mentioned: [])].fingerprint &+= fingerprint
    self[name.folded]?.mentioned += names
  }
}

extension Table {
  /// A hash of everything that a statement or its description depends on.
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(database)
    hasher.combine(primaryKey)
    hasher.combine(rowIDAlias)
    hasher.combine([hasRowID, isStrict, isAutoincrement, ignoresConflicts, isWritable])
    hasher.combine(documentation)
    for column in columns {
      hasher.combine(column.name)
      hasher.combine(column.declaredType)
      hasher.combine(column.affinity)
      hasher.combine(column.type)
      hasher.combine(column.collation)
      hasher.combine([
        column.isNotNull, column.isHidden, column.isGenerated, column.isInGeneratedColumnLoop,
      ])
      hasher.combine(column.unknownDefaultFunction)
      hasher.combine(column.documentation)
      hasher.combine(column.annotation)
      hasher.combine(column.allowed)
    }
    for key in keys {
      hasher.combine(key.parts.map(\.column))
      hasher.combine(key.parts.map(\.collation))
      hasher.combine(key.index)
      hasher.combine(key.isPrimary)
    }
    for key in foreignKeys {
      hasher.combine(key.columns)
      hasher.combine(key.parent)
      hasher.combine(key.parentColumns)
    }
    hasher.combine(definitionBytes)
    return hasher.finalize()
  }

  /// The statement that created the table.
  private var definitionBytes: ArraySlice<UInt8> {
    switch kind {
    case .table(let stored): stored.source.bytes[stored.node.span.range]
    case .view(let stored): stored.source.bytes[stored.node.span.range]
    case .virtual(_, let stored): stored.source.bytes[stored.node.span.range]
    case .system, .shadow, .function: []
    }
  }

  /// The names on which the table's rows depend.
  fileprivate var mentionedNames: [String] {
    switch kind {
    case .view, .virtual:
      CatalogFingerprints.names(in: SourceText(bytes: Array(definitionBytes)))
    case .table, .system, .shadow, .function: []
    }
  }
}

extension Index {
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(table)
    if let definition { hasher.combine(definition.source.bytes[definition.node.span.range]) }
    return hasher.finalize()
  }
}

extension Trigger {
  fileprivate var fingerprint: Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(database)
    hasher.combine(definition.source.bytes[definition.node.span.range])
    return hasher.finalize()
  }
}
