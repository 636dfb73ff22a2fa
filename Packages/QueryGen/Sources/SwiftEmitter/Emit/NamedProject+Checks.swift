import QueryModel

/// What can't be said in Swift as it was chosen.
extension NamedProject {
  /// Names that the author chose are left as they are, so they must be usable as they are.
  mutating func checkChosenNames() {
    var users: [String: String] = [:]
    func check(_ name: String, _ user: String, at place: EmitterDiagnostic.Place? = nil) {
      if !NamedProject.isTypeName(name) {
        diagnostics.append(
          EmitterDiagnostic(
            identity: .unusableChosenName, place: place,
            message: "'\(name)' is not a name that the struct of \(user) can have"))
      } else if let other = users.updateValue(user, forKey: name), other != user {
        diagnostics.append(
          EmitterDiagnostic(
            identity: .collidingChosenNames, place: place,
            message: "the structs of \(other) and of \(user) are both called '\(name)'"))
      }
    }
    for (table, type) in tableTypes.sorted(by: { $0.key < $1.key })
    where options.tables[table.asciiLowercased]?.swiftName != nil {
      check(type, "the table '\(table)'")
    }
    for (index, file) in files.enumerated() {
      for (number, query) in file.queries.enumerated() {
        let place = EmitterDiagnostic.Place(file: index, query: number)
        let name = query.definition.name
        if !NamedProject.isIdentifier(query.property) {
          diagnostics.append(
            EmitterDiagnostic(
              identity: .unusableChosenName, place: place,
              message: "'\(query.property)' is not a name that the query '\(name)' can have"))
        }
        if let input = query.options.inputName { check(input, "the input of '\(name)'", at: place) }
        if let row = query.options.rowName { check(row, "the rows of '\(name)'", at: place) }
      }
    }
  }

  /// Notes what is wrong with a query's result.
  mutating func check(_ shape: QueryShape, at place: EmitterDiagnostic.Place) {
    guard let row = shape.rowShape else { return }
    if let problem = row.problem {
      diagnostics.append(
        EmitterDiagnostic(identity: .unusableList, place: place, message: problem))
    }
    let query = files[place.file].queries[place.query]
    guard query.options.isCodable ?? options.isCodable else { return }
    for field in row.allFields + shape.fields where field.type == "SQLiteValue" {
      refuseCoding(field, of: "the query '\(query.definition.name)'", at: place)
    }
  }

  /// Notes what is wrong with a table's struct.
  mutating func check(_ table: TableDefinition, isCodable: Bool) {
    let fields = RowField.fields(of: table, self).map(\.field)
    var taken = Set(fields.map(\.name))
    for property in options.tables[table.name.asciiLowercased]?.properties ?? []
    where !NamedProject.isIdentifier(property.name) || !taken.insert(property.name).inserted {
      diagnostics.append(
        EmitterDiagnostic(
          identity: .unusableChosenName, place: nil,
          message: "'\(property.name)' is not a name that another property of the table "
            + "'\(table.name)' can have"))
    }
    guard isCodable else { return }
    for field in fields where field.type == "SQLiteValue" {
      refuseCoding(field, of: "the table '\(table.name)'", at: nil)
    }
  }

  private mutating func refuseCoding(
    _ field: Field, of owner: String, at place: EmitterDiagnostic.Place?
  ) {
    diagnostics.append(
      EmitterDiagnostic(
        identity: .notCodable, place: place,
        message: "the struct of \(owner) can't be Codable: '\(field.name)' may hold any value; "
          + "give it a type, or say that this struct is not Codable"))
  }
}

extension RowShape {
  /// The properties of the row and of its lists' elements.
  fileprivate var allFields: [Field] { allColumns.map(\.field) }
}
