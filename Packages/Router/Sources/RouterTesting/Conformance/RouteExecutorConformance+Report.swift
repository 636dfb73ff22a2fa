public import Router
internal import SQLiteCore

extension RouteExecutorConformance {
  /// Optional features of an executor. A rule that needs a missing feature does not apply.
  public struct Capabilities: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Several routes run in one transaction.
    public static let transactions = Capabilities(rawValue: 1 << 0)
    /// The method `upsert`.
    public static let upserts = Capabilities(rawValue: 1 << 1)
    /// Embedded rows of other tables.
    public static let embeds = Capabilities(rawValue: 1 << 2)
    /// JSON in columns: arrays, and parts of JSON.
    public static let json = Capabilities(rawValue: 1 << 3)
    /// Full-text tables: the tables of ``RouteExecutorConformance/fullTextSchema`` exist.
    public static let fullText = Capabilities(rawValue: 1 << 4)
    /// Regular expressions.
    public static let regularExpressions = Capabilities(rawValue: 1 << 5)
    /// The collation `NOCASE`.
    public static let collations = Capabilities(rawValue: 1 << 6)
    /// Custom SQL.
    public static let customRoutes = Capabilities(rawValue: 1 << 7)
    /// The executor is configured with the limits ``RouteExecutorConformance/maximumRows`` and
    /// ``RouteExecutorConformance/maximumAffected``.
    public static let limits = Capabilities(rawValue: 1 << 8)

    // MARK: Properties of SQLite

    /// A column without a type stores values of any type: the column `v` of the table `value`.
    public static let untypedColumns = Capabilities(rawValue: 1 << 9)
    /// Names of tables and columns are equal if they differ only in the case of ASCII letters.
    public static let caseInsensitiveNames = Capabilities(rawValue: 1 << 10)
    /// A number other than 0 is true.
    public static let numericTruth = Capabilities(rawValue: 1 << 11)
    /// Text is compared and ordered byte by byte.
    public static let byteOrder = Capabilities(rawValue: 1 << 12)
    /// A table's declaration can resolve conflicts, by `ON CONFLICT REPLACE`: the table `badge`.
    public static let conflictClauses = Capabilities(rawValue: 1 << 13)
    /// Only full-text tables can be searched.
    public static let fullTextTables = Capabilities(rawValue: 1 << 14)

    /// All features, and all properties of SQLite.
    public static let all = Capabilities(rawValue: (1 << reasons.count) - 1)

    /// The names of the features, and the reasons why rules that need them do not apply.
    private static let reasons = [
      ("transactions", "the executor runs no transactions"),
      ("upserts", "the executor has no upserts"),
      ("embeds", "the executor embeds no rows"),
      ("json", "the executor does not look into JSON"),
      ("fullText", "the executor has no full-text search"),
      ("regularExpressions", "the executor has no regular expressions"),
      ("collations", "the engine has no collation NOCASE"),
      ("customRoutes", "the executor runs no custom SQL"),
      ("limits", "the executor has no limits"),
      ("untypedColumns", "every column of the engine has a type"),
      ("caseInsensitiveNames", "the case of names matters to the engine"),
      ("numericTruth", "a number of the engine is neither true nor false"),
      ("byteOrder", "the engine orders text by a locale"),
      ("conflictClauses", "the engine's tables do not resolve conflicts"),
      ("fullTextTables", "any column of text can be searched"),
    ]

    private var members: [(name: String, reason: String)] {
      Self.reasons.indices.filter { contains(Capabilities(rawValue: 1 << $0)) }
        .map { (Self.reasons[$0].0, Self.reasons[$0].1) }
    }

    public var description: String { members.map(\.name).joined(separator: ", ") }

    /// The reason why a rule that needs these features does not apply to an executor without them.
    public var absence: String { members.map(\.reason).joined(separator: "; ") }
  }

  /// The outcome of all rules for one executor.
  public struct Report: Sendable, CustomStringConvertible {
    /// The rules that hold.
    public fileprivate(set) var passed: [Case] = []
    /// The rules that do not apply, because the executor lacks these features.
    public fileprivate(set) var notApplicable: [(rule: Case, missing: Capabilities)] = []
    /// The violated rules.
    public fileprivate(set) var failures: [Failure] = []

    /// The number of rules of each outcome, the reasons why rules do not apply, and the violated rules.
    public var description: String {
      var lines = [
        "\(passed.count) rules passed, \(notApplicable.count) do not apply, \(failures.count) failed"
      ]
      for (rule, missing) in notApplicable { lines.append("- \(rule): \(missing.absence)") }
      for failure in failures { lines.append("- failed: \(failure)") }
      return lines.joined(separator: "\n")
    }
  }

  /// Runs all rules, one after another.
  ///
  /// - Parameters:
  ///   - capabilities: The features of the executors.
  ///   - makeExecutor: Returns an executor for a rule, with tables in the state of ``seed``. If the rule does not write
  ///     (``Case/writes``), the tables of an earlier rule that did not write can be used again.
  /// - Returns: The report. An error of `makeExecutor` is reported as a failure of the rule.
  public static func report(
    supporting capabilities: Capabilities = .all,
    _ makeExecutor: (Case) async throws -> any RouteExecutor
  ) async -> Report {
    var report = Report()
    for rule in cases {
      do {
        switch try await rule.run(on: try await makeExecutor(rule), supporting: capabilities) {
        case .passed: report.passed.append(rule)
        case .skipped(let missing): report.notApplicable.append((rule, missing))
        }
      } catch let failure as Failure {
        report.failures.append(failure)
      } catch {
        report.failures.append(
          Failure(
            rule: rule.description, subject: "the executor", expected: "no error", got: "\(error)"))
      }
    }
    return report
  }

  /// An executor whose responses contain 1 and 0 instead of Booleans.
  struct NumericExecutor<Base: RouteExecutor>: RouteExecutor {
    let base: Base

    var decoder: RowDecoder { base.decoder }

    func run(_ route: DatabaseRoute) async throws -> DatabaseRoute.Response {
      Self.numeric(try await base.run(route))
    }

    func values<Value: Decodable & Sendable>(
      _ type: Value.Type, for route: DatabaseRoute,
      expecting expectation: DatabaseRoute.Expectation?
    ) async throws -> [Value] {
      try await base.values(type, for: route, expecting: expectation)
    }

    func run(_ routes: [DatabaseRoute]) async throws -> [DatabaseRoute.Response] {
      try await base.run(routes).map(Self.numeric)
    }

    func values<Value: Decodable & Sendable>(
      _ type: Value.Type, forEach routes: [DatabaseRoute],
      expecting expectation: DatabaseRoute.Expectation?
    ) async throws -> [[Value]] {
      try await base.values(type, forEach: routes, expecting: expectation)
    }

    func affectedCount(of route: DatabaseRoute) async throws -> Int {
      try await base.affectedCount(of: route)
    }

    private static func numeric(_ response: DatabaseRoute.Response) -> DatabaseRoute.Response {
      var response = response
      for row in response.rows.indices {
        for column in response.rows[row].indices {
          if case .bool(let bool) = response.rows[row][column] {
            response.rows[row][column] = .integer(bool ? 1 : 0)
          }
        }
      }
      return response
    }
  }
}
