public import Router

/// The required behavior of a `RouteExecutor`, as rules that can be run against any executor.
///
/// Pass each rule an executor for the tables of ``schema``, filled by ``seed``. A rule that only reads leaves them
/// unchanged; a rule that writes needs fresh tables, from ``restore(_:)`` or in a new database:
///
/// ```swift
/// @Test func `my executor conforms`() async throws {
///   let report = await RouteExecutorConformance.report(supporting: [.transactions, .upserts]) { rule in
///     let executor = try await MyExecutor.fresh()
///     try await RouteExecutorConformance.restore(executor)
///     return executor
///   }
///   #expect(report.failures.isEmpty, "\(report)")
/// }
/// ```
///
/// The tables and the rules are those of SQLite. An executor of another engine creates the same tables with its own
/// types, and states by its ``Capabilities`` which properties of SQLite it does not have; the report then names the
/// rules that do not apply, with the reason. A Boolean column may return Booleans instead of 0 and 1.
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
        try await body(
          Subject(executor: NumericExecutor(base: executor), rule: description))
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
