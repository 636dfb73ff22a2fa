internal import QueryModel
internal import SQLSemantics
internal import SQLSyntax

extension InputFile {
  /// The script in the model's form.
  var definition: MigrationDefinition {
    // Trailing white space would leave a gap in the generated text.
    let end = source.bytes.lastIndex { !" \n\r\t".utf8.contains($0) } ?? -1
    return MigrationDefinition(name: name, sql: source[ByteSpan(0..<end + 1)])
  }

  /// Applies a script's statements in order, and returns them.
  ///
  /// - Parameter database: The folder of the attached database to which the script belongs, if any.
  mutating func replay(
    on catalog: inout Catalog, at position: Int, of database: String? = nil,
    _ parsing: inout ParseSession, _ cache: inout AnalysisCache?
  ) -> [ScriptStatement] {
    let statements = parsing.statements(of: &self)
    let source = source
    let isTemporary = isTemporary
    let apply = { (catalog: inout Catalog) -> [Diagnostic] in
      var found = DiagnosticList()
      for statement in statements {
        if isTemporary, !catalog.createsTemporaryObject(statement.statement) {
          found.append(
            Diagnostic(
              .notTemporary, at: statement.statement.span,
              "a script of temporary objects only creates them: write `CREATE TEMP …`, or move the "
                + "statement to a migration"))
          continue
        }
        if let diagnostic = statement.statement.diagnosticInTransaction {
          found.append(diagnostic)
          if diagnostic.severity == .error { continue }
        }
        catalog.apply(
          statement.statement, source: source, documentation: statement.documentation,
          diagnostics: &found)
      }
      return found.diagnostics
    }
    let found =
      cache?.replay(source, at: position, of: database, on: &catalog, apply) ?? apply(&catalog)
    for diagnostic in found { diagnostics.append(diagnostic) }
    return statements
  }
}

extension AttachedInput {
  /// Applies the migrations, and returns the schema after the last one.
  mutating func replay(
    on empty: Catalog, _ parsing: inout ParseSession, _ cache: inout AnalysisCache?
  ) -> Catalog {
    var catalog = empty
    var count = 0
    for index in input.folder.scripts.indices
    where input.folder.scripts[index].isText && !input.folder.scripts[index].isTemporary {
      _ = input.folder.scripts[index].replay(
        on: &catalog, at: count, of: input.path, &parsing, &cache)
      count += 1
    }
    catalog.disconnect()
    return catalog
  }

  /// Returns the declared functions, collations and modules.
  func declarations(
    target: SQLiteVersion, _ parsing: inout ParseSession
  ) -> Declarations {
    var collector = DeclarationCollector(target: target)
    var file = input.configurationFile
    file?.collect(input.configuration.declarations, &collector)
    for var file in input.folder.scripts {
      file.collect(parsing.declarations(of: file, isQueryFile: false), &collector)
    }
    for var file in input.folder.queries {
      file.collect(parsing.declarations(of: file, isQueryFile: true), &collector)
    }
    return collector.declarations
  }
}

extension Diagnostic.Identity {
  /// A database can't be attached to another.
  static let unattachableDatabase = Self(rawValue: "unattachable-database")
  /// A script of temporary objects creates something else.
  static let notTemporary = Self(rawValue: "not-temporary")
}
