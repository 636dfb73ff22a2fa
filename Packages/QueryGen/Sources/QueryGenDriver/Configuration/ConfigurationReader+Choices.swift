internal import Primitives
internal import QueryModel
internal import SQLSyntax

/// Reads the options for types, tables and queries.
extension ConfigurationReader {
  mutating func readTypes(_ yaml: YAML) {
    for entry in entries(of: yaml) {
      let words = entry.key.split(separator: " ").joined(separator: " ")
      configuration.generation.types[words.uppercased()] = mapping(entry.value)
    }
  }

  mutating func readTables(_ yaml: YAML) {
    for entry in entries(of: yaml) {
      let name = entry.key.asciiLowercased
      note(.table(name), entry.keySpan)
      var options = TableOptions()
      for field in entries(of: entry.value) {
        switch field.key {
        case "name": options.swiftName = swiftName(field.value)
        case "codable": options.isCodable = flag(field.value)
        case "columns":
          options.columns = columns(field.value) { .column($0, of: name) }
        case "properties": options.properties = properties(field.value)
        default:
          unknown(
            field.key, at: field.keySpan, "key",
            among: ["name", "codable", "columns", "properties"])
        }
      }
      configuration.generation.tables[name] = options
    }
  }

  private mutating func properties(_ yaml: YAML) -> [AdditionalProperty] {
    entries(of: yaml).compactMap { entry in
      guard let value = text(entry.value) else { return nil }
      guard !value.contains(where: \.isNewline) else {
        report(entry.value, "the initial value of a property must be on one line")
        return nil
      }
      return AdditionalProperty(name: entry.key, value: value)
    }
  }

  mutating func readQueries(_ yaml: YAML) {
    for entry in entries(of: yaml) {
      note(.query(entry.key), entry.keySpan)
      var options = QueryOptions()
      for field in entries(of: entry.value) {
        switch field.key {
        case "name": options.swiftName = swiftName(field.value)
        case "input": options.inputName = swiftName(field.value)
        case "row": options.rowName = swiftName(field.value)
        case "codable": options.isCodable = flag(field.value)
        case "columns":
          options.columns = columns(field.value) { .resultColumn($0, of: entry.key) }
        case "parameters":
          options.parameters = columns(field.value) { .parameter($0, of: entry.key) }
        case "lists": options.lists = lists(field.value, of: entry.key)
        default:
          unknown(
            field.key, at: field.keySpan, "key",
            among: ["name", "input", "row", "codable", "columns", "parameters", "lists"])
        }
      }
      configuration.generation.queries[entry.key] = options
    }
  }

  /// Reads lists by name: `books: [title, { chapters: [heading, page] }]`.
  private mutating func lists(_ yaml: YAML, of query: String) -> [NestedList] {
    var lists: [NestedList] = []
    for entry in entries(of: yaml) {
      var list = NestedList(name: entry.key, columns: [])
      let elements = self.list(entry.value) { (_, yaml) -> YAML? in yaml } ?? []
      for element in elements {
        if case .mapping = element.value {
          list.lists += self.lists(element, of: query)
        } else if let name = text(element) {
          note(.resultColumn(name.asciiLowercased, of: query), element.span)
          list.columns.append(name)
        }
      }
      if list.columns.isEmpty { report(entry.value, "the list needs at least one column") }
      lists.append(list)
    }
    return lists
  }

  private mutating func columns(
    _ yaml: YAML, _ subject: (String) -> ProjectConfiguration.Reference.Subject
  ) -> [String: ColumnOptions] {
    var columns: [String: ColumnOptions] = [:]
    for entry in entries(of: yaml) {
      let name = entry.key.asciiLowercased
      note(subject(name), entry.keySpan)
      guard case .mapping(let fields) = entry.value.value else {
        // The short form is a type's name.
        columns[name] = ColumnOptions(mapping: mapping(entry.value))
        continue
      }
      var options = ColumnOptions()
      if let field = fields.first(where: { $0.key == "name" }) {
        options.swiftName = swiftName(field.value)
      }
      let rest = fields.filter { $0.key != "name" }
      if !rest.isEmpty || fields.isEmpty {
        options.mapping = mapping(YAML(value: .mapping(rest), span: entry.value.span), "name")
      }
      columns[name] = options
    }
    return columns
  }

  /// Reads `Date`, or `{type: Date, as: json}`.
  private mutating func mapping(_ yaml: YAML, _ more: String...) -> TypeMapping? {
    if case .scalar = yaml.value { return swiftType(yaml).map { TypeMapping(type: $0) } }
    var type: String?
    var coding = TypeMapping.Coding.value
    var holdsNull = false
    for field in entries(of: yaml) {
      switch field.key {
      case "type": type = swiftType(field.value)
      case "as":
        if let form: StoredForm = choice(field.value, of: "form") { coding = form.coding }
      case "adapter":
        if let adapter = swiftType(field.value) { coding = .adapter(adapter) }
      case "holds_null": holdsNull = flag(field.value) ?? false
      default:
        unknown(
          field.key, at: field.keySpan, "key",
          among: ["type", "as", "adapter", "holds_null"] + more)
      }
    }
    guard let type else {
      report(yaml, "the key \"type\", which names the Swift type, is missing")
      return nil
    }
    return TypeMapping(type: type, coding: coding, holdsNull: holdsNull)
  }

  private enum StoredForm: String, CaseIterable {
    case value, raw, json

    var coding: TypeMapping.Coding {
      switch self {
      case .value: .value
      case .raw: .rawValue
      case .json: .json
      }
    }
  }

  /// Reads a type's name: letters, and the punctuation of Swift types.
  private mutating func swiftType(_ yaml: YAML) -> String? {
    guard let text = text(yaml) else { return nil }
    let isSpelling = text.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isXIDContinue || "._[]<>:, ".unicodeScalars.contains(scalar)
    }
    guard isSpelling else {
      report(
        yaml,
        text.contains("?")
          ? "the column determines whether a value is optional; remove the \"?\""
          : "\"\(text)\" is not a Swift type")
      return nil
    }
    return text
  }

  mutating func readDeclarations(_ yaml: YAML, of kind: Declaration.Kind) {
    let declared = list(yaml) { (reader, yaml) in
      reader.text(yaml).map {
        ProjectConfiguration.Declared(kind: kind, text: $0, span: yaml.span)
      }
    }
    configuration.declarations += declared ?? []
  }

  mutating func readAttachments(_ yaml: YAML) {
    for entry in entries(of: yaml) {
      guard let folder = folder(entry.value) else { continue }
      let name = entry.key.asciiLowercased
      if ["main", "temp"].contains(name)
        || configuration.attachments.contains(where: { $0.schema.asciiLowercased == name })
      {
        diagnostics.append(
          Diagnostic(
            .invalidConfiguration, at: entry.keySpan,
            "a database named \"\(entry.key)\" already exists; use another name"))
        continue
      }
      configuration.attachments.append(
        .init(schema: entry.key, folder: folder, span: entry.keySpan))
    }
  }

  mutating func readFormat(_ yaml: YAML) {
    readFields(
      of: yaml,
      [
        ("keywords", { $0.set(\.format.keywords, $0.choice($1, of: "letter case")) }),
        ("width", { $0.set(\.format.width, $0.number($1, in: FormatOptions.widths)) }),
        (
          "indentation",
          { $0.set(\.format.indentation, $0.number($1, in: FormatOptions.indentations)) }
        ),
      ])
  }

  mutating func readPlans(_ yaml: YAML) {
    readFields(
      of: yaml,
      [
        ("statistics", { $0.set(\.plans.statistics, $0.folder($1)) }),
        (
          "rows",
          { reader, rows in
            for entry in reader.entries(of: rows) {
              let name = entry.key.asciiLowercased
              reader.note(.table(name), entry.keySpan)
              reader.configuration.plans.rows[name] = reader.number(
                entry.value, in: 0...1_000_000_000_000)
            }
          }
        ),
        ("allow", { $0.set(\.plans.allowed, $0.planRules($1)) }),
        (
          "queries",
          { reader, queries in
            for entry in reader.entries(of: queries) {
              reader.note(.query(entry.key), entry.keySpan)
              reader.configuration.plans.allowedByQuery[entry.key] = reader.planRules(entry.value)
            }
          }
        ),
      ])
  }

  private mutating func planRules(_ yaml: YAML) -> Set<PlanRule>? {
    list(yaml) { $0.choice($1, of: "rule") }.map { Set($0) }
  }

  private mutating func note(_ subject: ProjectConfiguration.Reference.Subject, _ span: ByteSpan) {
    configuration.references.append(.init(subject: subject, span: span))
  }
}
