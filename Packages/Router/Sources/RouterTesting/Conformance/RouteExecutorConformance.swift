public import Router

/// The required behavior of a `RouteExecutor`, as rules that can be run against any executor.
///
/// Pass each rule an executor for the tables of ``schema``, filled by ``seed``. A rule that only reads leaves them
/// unchanged; a rule that writes needs fresh tables, from ``restore(_:)`` or in a new database:
///
/// ```swift
/// @Test(arguments: RouteExecutorConformance.cases)
/// func `my executor conforms`(_ rule: RouteExecutorConformance.Case) async throws {
///   let executor = try await MyExecutor.fresh()
///   try await RouteExecutorConformance.restore(executor)
///   let outcome = try await rule.run(on: executor, supporting: [.transactions, .upserts])
///   if case .skipped(let missing) = outcome { print("\(rule): needs \(missing)") }
/// }
/// ```
///
/// The rules are independent of a testing framework: a violated rule throws a ``Failure`` with the expected and the
/// actual result.
public enum RouteExecutorConformance {
  /// All rules.
  public static let cases: [Case] = [
    filterCases, logicCases, nullCases, readingCases, orderCases, pageCases, singularCases,
    insertCases, updateCases, deleteCases, upsertCases, batchCases, valueCases, nameCases,
    errorCases, extraCases,
  ].flatMap { $0 }

  /// The maximum number of rows that routes may read, for an executor with ``Capabilities/limits``.
  public static let maximumRows = 50
  /// The maximum number of rows that a route may write, for an executor with ``Capabilities/limits``.
  public static let maximumAffected = 80

  /// Deletes all rows of the tables, and inserts the rows of ``seed``.
  ///
  /// - Throws: Errors of the executor.
  public static func restore(_ executor: some RouteExecutor) async throws {
    for table in tables.reversed() {
      try await executor.perform(.delete(from: table, filteredBy: .all))
    }
    for route in seed { try await executor.perform(route) }
  }

  /// Optional features of an executor. A rule that needs a missing feature is reported as skipped.
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

    /// All features.
    public static let all: Capabilities = [
      .transactions, .upserts, .embeds, .json, .fullText, .regularExpressions, .collations,
      .customRoutes, .limits,
    ]

    public var description: String {
      let names = [
        "transactions", "upserts", "embeds", "json", "fullText", "regularExpressions",
        "collations", "customRoutes", "limits",
      ]
      return names.indices.filter { contains(Capabilities(rawValue: 1 << $0)) }
        .map { names[$0] }.joined(separator: ", ")
    }
  }

  /// A violated rule.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: String
    /// The checked route or property.
    public let subject: String
    public let expected: String
    public let got: String

    public var description: String {
      "\(rule): \(subject): expected \(expected), got \(got)"
    }
  }
}

extension RouteExecutorConformance {
  /// A rule.
  public struct Case: Sendable, CustomStringConvertible {
    /// The topic of the rule.
    public let topic: Topic
    /// The name of the rule, which is unique within its topic.
    public let name: String
    /// The features that the rule needs.
    public let needs: Capabilities
    /// A Boolean value that indicates whether the rule changes the tables, and so needs fresh ones.
    public let writes: Bool
    private let body: @Sendable (Subject) async throws -> Void

    public var description: String { "\(topic.rawValue): \(name)" }

    init(
      _ topic: Topic, _ name: String, needs: Capabilities = [], writes: Bool = false,
      _ body: @escaping @Sendable (Subject) async throws -> Void
    ) {
      self.topic = topic
      self.name = name
      self.needs = needs
      self.writes = writes
      self.body = body
    }

    /// Runs the rule.
    ///
    /// - Parameters:
    ///   - executor: An executor for the tables of ``RouteExecutorConformance/schema``, filled by
    ///     ``RouteExecutorConformance/seed``.
    ///   - capabilities: The features of the executor.
    /// - Returns: Whether the rule passed or was skipped.
    /// - Throws: ``RouteExecutorConformance/Failure`` if the rule is violated; `CancellationError`.
    @discardableResult
    public func run(
      on executor: some RouteExecutor, supporting capabilities: Capabilities = .all
    ) async throws -> Outcome {
      guard capabilities.isSuperset(of: needs) else {
        return .skipped(needs.subtracting(capabilities))
      }
      do {
        try await body(Subject(executor: executor, rule: description))
        return .passed
      } catch let error as Failure {
        throw error
      } catch let error as CancellationError {
        throw error
      } catch {
        throw Failure(
          rule: description, subject: "the routes", expected: "no error", got: "\(error)")
      }
    }
  }

  /// The result of a rule that was not violated.
  public enum Outcome: Hashable, Sendable {
    case passed
    /// The executor lacks these features.
    case skipped(Capabilities)
  }

  /// The topics of rules.
  public enum Topic: String, Hashable, Sendable, CaseIterable {
    case filters, logic, nulls, reading, order, pages, singular, insert, update, delete, upsert
    case batches, values, names, errors, json, embeds, fullText, regularExpressions, customRoutes
    case limits
  }
}
