internal import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  private static let secret = "s3cret"

  /// The contents of errors.
  static let errorCases: [Case] = tellingCases + refusedCases + callCases

  private static let tellingCases: [Case] =
    [
      describes("names the unknown table", .fetch(from: "nix", routeId: "mine"), table: "nix"),
      describes(
        "names the unknown column, and its table",
        .fetch(
          from: "team", filteredBy: DatabaseRoute.Column("nix").equals(secret), routeId: "mine"),
        table: "team", column: "nix"),
      describes(
        "of a write names the unknown column",
        identified(update(["nix": .text(secret)], in: "team", .id(secret))), table: "team",
        column: "nix"),
      describes(
        "of an unknown operator names the column",
        .fetch(
          from: "team",
          filteredBy: condition(name, .init(rawValue: "no such"), .value(.text(secret))),
          routeId: "mine"),
        table: "team", column: "name"),
      describes(
        "of a missing row names the table",
        identified(.fetch(from: "team", filteredBy: name.equals(secret)).expecting(.one)),
        table: "team"),
      describes(
        "of too many rows names the table",
        identified(update(["name": .text(secret)], in: "team", .all).expecting(.one)), table: "team"
      ),
      describes(
        "of a missing filter names the table",
        identified(update(["name": .text(secret)], in: "team", nil)), table: "team"),
    ]

  private static let refused: [(String, DatabaseRoute, RouterError.Constraint.Kind)] = [
    (
      "of a UNIQUE constraint",
      insert([["email": .text(secret)], ["email": .text(secret)]], into: "account"), .unique
    ),
    (
      "of a PRIMARY KEY constraint", insert([["id": 1, "email": .text(secret)]], into: "account"),
      .primaryKey
    ),
    ("of a NOT NULL constraint", insert([["name": .text(secret)]], into: "account"), .notNull),
    (
      "of a CHECK constraint", insert([["email": .text(secret), "score": -1]], into: "account"),
      .check
    ),
    (
      "of a FOREIGN KEY constraint",
      insert([["team": 987_654_321, "name": .text(secret)]], into: "player"), .foreignKey
    ),
  ]

  private static let refusedCases: [Case] =
    refused.map { name, unidentified, kind in
      Case(.errors, "an error \(name) names it, and contains no value", writes: true) {
        subject in
        let route = identified(unidentified)
        let error = try await subject.expectError("\(route)") {
          _ = try await subject.executor.run(route)
        }
        guard let error = error as? RouterError, error.code == .constraintViolation else {
          throw Failure(
            rule: subject.rule, subject: "\(route)",
            expected: "a RouterError with code constraintViolation", got: "\(error)")
        }
        try subject.expect(error.constraint?.kind, kind, "the kind of constraint")
        try subject.expect(error.table, route.table.name, "the error's table")
        try subject.expect(error.routeId, "mine", "the error's route id")
        try subject.expect(error.route, route.description, "the error's route")
        try checkRevealsNoValue(error, subject)
      }
    }

  private static let callCases: [Case] =
    [
      Case(.errors, "an error of a call for one row has the call's code") { subject in
        let route = DatabaseRoute.fetch(
          from: "team", filteredBy: name.equals(secret), routeId: "mine")
        try await subject.expectCode(.notFound, "\(route)") {
          do {
            _ = try await subject.executor.value(Team.self, for: route)
          } catch {
            try checkRevealsNoValue(error, subject)
            throw error
          }
        }
      },
      Case(.errors, "an error does not affect later routes") { subject in
        try await subject.expectError("an unknown table") {
          _ = try await subject.executor.run(.fetch(from: "nix"))
        }
        try await subject.expectRows([[3]], .count(from: "team"))
      },
    ]

  private static func identified(_ route: DatabaseRoute) -> DatabaseRoute {
    var route = route
    route.id = "mine"
    return route
  }

  /// Checks that an error names its subject, and contains no value.
  private static func describes(
    _ name: String, _ route: DatabaseRoute, table: String, column: String? = nil
  ) -> Case {
    Case(.errors, "an error \(name), and contains no value", writes: !route.isReadOnly) { subject in
      let error = try await subject.expectError("\(route)") {
        _ = try await subject.executor.run(route)
      }
      guard let error = error as? RouterError else {
        throw Failure(
          rule: subject.rule, subject: "\(route)", expected: "a RouterError", got: "\(error)")
      }
      try subject.expect(error.table, table, "the error's table")
      if let column { try subject.expect(error.column, column, "the error's column") }
      try subject.expect(error.routeId, "mine", "the error's route id")
      try subject.expect(error.route, route.description, "the error's route")
      try checkRevealsNoValue(error, subject)
    }
  }

  private static func checkRevealsNoValue(_ error: any Error, _ subject: Subject) throws {
    let text = "\(error) \(String(reflecting: error))"
    for value in [secret, "987654321"] where text.contains(value) {
      throw Failure(
        rule: subject.rule, subject: "the error", expected: "no value in its text", got: text)
    }
  }
}
