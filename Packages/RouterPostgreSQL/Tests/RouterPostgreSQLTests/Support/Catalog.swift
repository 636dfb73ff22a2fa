import PostgreSQLTesting
import Router
import RouterPostgreSQL
import SQLiteCore
import Testing

typealias Column = DatabaseRoute.Column
typealias Record = DatabaseRoute.Record
typealias Filter = DatabaseRoute.Filter

/// The tables of the tests, in both engines' SQL.
enum Schema {
  static let postgreSQL = #"""
    CREATE TYPE mood AS ENUM ('sad', 'happy');
    CREATE DOMAIN score AS integer CHECK (VALUE >= 0);
    CREATE TABLE team (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL);
    CREATE TABLE player (
      id integer PRIMARY KEY, team bigint REFERENCES team, name text NOT NULL UNIQUE,
      nickname text COLLATE "und-x-icu",
      rank integer, points double precision, price numeric, done boolean, data bytea,
      profile jsonb, plain json, tags text[], feeling mood, born date, key uuid, level score,
      double integer GENERATED ALWAYS AS (rank * 2) STORED, words tsvector,
      CONSTRAINT ranks UNIQUE (team, rank) DEFERRABLE);
    CREATE INDEX player_name ON player (lower(name));
    CREATE UNIQUE INDEX player_some ON player (born) WHERE born IS NOT NULL;
    CREATE TABLE seat (area text, number integer, holder text, PRIMARY KEY (area, number));
    CREATE TABLE hobby (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE practice (
      player integer NOT NULL REFERENCES player, hobby integer NOT NULL REFERENCES hobby,
      PRIMARY KEY (player, hobby));
    CREATE VIEW names AS SELECT id, name FROM player;
    CREATE TABLE "Odd ""name""" (id integer PRIMARY KEY, "Name" text, name text, "a b" text);
    """#

  static func catalog(_ server: PostgreSQLTestServer) throws -> PostgreSQLCatalog {
    let rows = try server.rows([
      "PREPARE catalog AS \(PostgreSQLCatalog.query)", "EXECUTE catalog('public')",
    ])
    return PostgreSQLCatalog(
      schema: "public", entries: try rows.map { try .init($0) },
      version: SchemaVersion(number: 1))
  }
}

extension RouteStatement<DatabaseRoute.CustomStatement.Argument> {
  /// The values as literals whose types the server infers.
  var literals: String {
    values.map { argument in
      switch argument {
      case .value(let value): Self.literal(value)
      case .list(let values):
        Self.quoted("{\(values.map(Self.element).joined(separator: ","))}")
      }
    }.joined(separator: ", ")
  }

  private static func literal(_ value: SQLiteValue) -> String {
    value == .null ? "NULL" : quoted(text(value))
  }

  private static func element(_ value: SQLiteValue) -> String {
    value == .null ? "NULL" : "\"\(escaped(text(value)))\""
  }

  private static func text(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    case .blob(let bytes):
      "\\x" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}

extension RoutePlan {
  /// The statements of the route.
  func statements(
    in catalog: PostgreSQLCatalog
  ) throws -> [RouteStatement<DatabaseRoute.CustomStatement.Argument>] {
    switch route.method {
    case .fetch, .fetchOne, .count, .custom:
      return [
        try PostgreSQLDialect.statement(
          of: selection(), settings: settings, limit: limit(), in: catalog)
      ]
    case .insert, .update, .upsert, .delete:
      let written = try write(in: catalog, PostgreSQLDialect.self)
      return try batches(PostgreSQLDialect.self).map { records in
        try PostgreSQLDialect.statement(
          of: written, settings: settings, records: records, check: check, in: catalog)
      }
    }
  }
}
