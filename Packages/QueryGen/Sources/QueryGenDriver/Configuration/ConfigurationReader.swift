internal import Primitives
internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

/// Creates a ``Configuration`` from a file. An unknown key or value is an error: otherwise a
/// misspelt key would be ignored silently.
struct ConfigurationReader {
  var configuration = ProjectConfiguration()
  var diagnostics = DiagnosticList()

  typealias Field = (key: String, read: (inout ConfigurationReader, YAML) -> Void)

  /// Reads a file, and adds to its diagnostics.
  ///
  /// - Parameter standard: The settings to use for keys that the file does not contain.
  static func read(
    _ file: inout InputFile, from standard: ProjectConfiguration = ProjectConfiguration()
  ) -> ProjectConfiguration {
    guard file.isText, let yaml = YAMLReader.read(file.source, diagnostics: &file.diagnostics)
    else {
      return standard
    }
    var reader = ConfigurationReader(configuration: standard)
    reader.read(yaml)
    for diagnostic in reader.diagnostics.diagnostics { file.diagnostics.append(diagnostic) }
    return reader.configuration
  }

  private mutating func read(_ yaml: YAML) {
    readFields(
      of: yaml,
      [
        ("attach", { $0.readAttachments($1) }),
        ("path", { $0.configuration.path = $0.folder($1) }),
        ("folders", { $0.readFolders($1) }),
        ("output", { $0.set(\.output, $0.folder($1)) }),
        ("engine", { $0.set(\.generation.engine, $0.choice($1, of: "engine")) }),
        ("database", { $0.set(\.generation.databaseName, $0.swiftName($1)) }),
        ("access", { $0.set(\.generation.access, $0.choice($1, of: "access")) }),
        ("import", { $0.set(\.generation.runtimeModule, $0.swiftName($1)) }),
        ("imports", { $0.set(\.generation.imports, $0.list($1) { $0.swiftName($1) }) }),
        ("split", { $0.set(\.generation.splitsTables, $0.flag($1)) }),
        ("codable", { $0.set(\.generation.isCodable, $0.flag($1)) }),
        ("coding_keys", { $0.set(\.generation.codingKeys, $0.choice($1, of: "coding keys")) }),
        ("sqlite", { $0.set(\.target, $0.version($1)) }),
        ("types", { $0.readTypes($1) }),
        ("default_types", { $0.set(\.generation.hasDefaultTypes, $0.flag($1)) }),
        ("tables", { $0.readTables($1) }),
        ("queries", { $0.readQueries($1) }),
        ("functions", { $0.readDeclarations($1, of: .function) }),
        ("aggregates", { $0.readDeclarations($1, of: .aggregate) }),
        ("windows", { $0.readDeclarations($1, of: .window) }),
        ("collations", { $0.readDeclarations($1, of: .collation) }),
        ("modules", { $0.readDeclarations($1, of: .module) }),
        ("format", { $0.readFormat($1) }),
        ("plans", { $0.readPlans($1) }),
      ])
    if configuration.generation.engine != .sqlite {
      for entry in entries(of: yaml) where Self.keysForSQLite.contains(entry.key) {
        diagnostics.append(
          Diagnostic(
            .invalidConfiguration, at: entry.keySpan,
            "\"\(entry.key)\" is only available for SQLite; remove it, or the key \"engine\""))
      }
    }
  }

  /// The keys that have no meaning for other engines.
  private static let keysForSQLite: Set = [
    "attach", "sqlite", "functions", "aggregates", "windows", "collations", "modules", "plans",
    "format", "default_types",
  ]

  private mutating func readFolders(_ yaml: YAML) {
    readFields(
      of: yaml,
      [
        ("migrations", { $0.set(\.migrations, $0.folder($1)) }),
        ("queries", { $0.set(\.queries, $0.folder($1)) }),
        ("temporary", { $0.set(\.temporary, $0.folder($1)) }),
      ])
  }

  mutating func set<Value>(_ path: WritableKeyPath<ProjectConfiguration, Value>, _ value: Value?) {
    if let value { configuration[keyPath: path] = value }
  }

  // MARK: Values

  /// Reads a mapping with the given keys.
  mutating func readFields(of yaml: YAML, _ fields: [Field]) {
    for entry in entries(of: yaml) {
      if let field = fields.first(where: { $0.key == entry.key }) {
        field.read(&self, entry.value)
      } else {
        unknown(entry.key, at: entry.keySpan, "key", among: fields.map(\.key))
      }
    }
  }

  /// Returns the entries of a mapping; a null value has none.
  mutating func entries(of yaml: YAML) -> [YAML.Entry] {
    switch yaml.value {
    case .mapping(let entries): return entries
    case .null: return []
    case .scalar, .sequence:
      report(yaml, "expected a mapping with \"key: value\" on each line, found \(yaml.kindName)")
      return []
    }
  }

  /// Returns a text that is not empty.
  mutating func text(_ yaml: YAML) -> String? {
    guard case .scalar(let text, _) = yaml.value, !text.isEmpty else {
      report(yaml, "expected a string, found \(yaml.kindName)")
      return nil
    }
    return text
  }

  /// Returns the path of a folder.
  mutating func folder(_ yaml: YAML) -> String? {
    guard var text = text(yaml) else { return nil }
    while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    guard !text.contains("\0"), !text.contains("\n") else {
      report(yaml, "this is not a valid folder path")
      return nil
    }
    return text
  }

  /// Returns a valid Swift identifier.
  mutating func swiftName(_ yaml: YAML) -> String? {
    guard let text = text(yaml) else { return nil }
    let scalars = text.unicodeScalars
    guard let first = scalars.first, first == "_" || first.properties.isXIDStart,
      scalars.allSatisfy({ $0.properties.isXIDContinue })
    else {
      report(yaml, "\"\(text)\" is not a valid Swift identifier")
      return nil
    }
    return text
  }

  mutating func flag(_ yaml: YAML) -> Bool? {
    if case .scalar(let text, isQuoted: false) = yaml.value {
      if text == "true" { return true }
      if text == "false" { return false }
    }
    report(yaml, "expected true or false")
    return nil
  }

  mutating func number(_ yaml: YAML, in range: ClosedRange<Int>) -> Int? {
    if case .scalar(let text, isQuoted: false) = yaml.value, let number = Int(text),
      range.contains(number)
    {
      return number
    }
    report(yaml, "expected a number from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ yaml: YAML, of kind: String
  ) -> Choice? {
    guard let text = text(yaml) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    unknown(text, at: yaml.span, kind, among: Choice.allCases.map(\.rawValue))
    return nil
  }

  mutating func list<Element>(
    _ yaml: YAML, _ read: (inout ConfigurationReader, YAML) -> Element?
  ) -> [Element]? {
    switch yaml.value {
    case .sequence(let elements): return elements.compactMap { read(&self, $0) }
    case .null: return []
    case .scalar, .mapping:
      report(yaml, "expected a list: \"[a, b]\", or \"- a\" on each line")
      return nil
    }
  }

  private mutating func version(_ yaml: YAML) -> SQLiteVersion? {
    guard let text = text(yaml) else { return nil }
    guard let version = SQLiteVersion(text), version.major == 3 else {
      report(yaml, "\"\(text)\" is not a version of SQLite 3, such as 3.40 or 3.40.1")
      return nil
    }
    return version
  }

  // MARK: Diagnostics

  mutating func report(_ yaml: YAML, _ message: String) {
    diagnostics.append(Diagnostic(.invalidConfiguration, at: yaml.span, message))
  }

  mutating func unknown(
    _ name: String, at span: ByteSpan, _ kind: String, among known: [String]
  ) {
    var diagnostic = Diagnostic(.unknownKey, at: span, "unknown \(kind) \"\(name)\"")
    if let nearest = EditDistance.nearest(to: name, among: known) {
      diagnostic.message += "; did you mean \"\(nearest)\"?"
      diagnostic.fixIt = .init(replace: span, with: nearest)
    } else {
      diagnostic.message += "; expected one of \(known.sorted().joined(separator: ", "))"
    }
    diagnostics.append(diagnostic)
  }
}

extension Diagnostic.Identity {
  /// The value of a configuration key has the wrong type.
  static let invalidConfiguration = Self(rawValue: "invalid-configuration")
  /// The configuration has no such key or choice.
  static let unknownKey = Self(rawValue: "unknown-key")
}
