public import Router

/// What every `RouteExecutor` has to do, as rules that any of them can be run against.
///
/// Give each rule an executor on tables of ``schema``, filled by ``seed``. A rule that only reads leaves them as they
/// are; one that writes needs them anew, from ``restore(_:)`` or from a fresh database:
///
/// ```swift
/// @Test(arguments: RouteExecutorConformance.cases)
/// func `my executor does what is promised`(_ rule: RouteExecutorConformance.Case) async throws {
///   let executor = try await MyExecutor.fresh()
///   try await RouteExecutorConformance.restore(executor)
///   let outcome = try await rule.run(on: executor, supporting: [.transactions, .upserts])
///   if case .skipped(let missing) = outcome { print("\(rule): needs \(missing)") }
/// }
/// ```
///
/// It needs no testing framework: a rule that does not hold throws a ``Failure``, which says what was expected and
/// what came instead.
public enum RouteExecutorConformance {
  /// All rules.
  public static let cases: [Case] = [
    filterCases, logicCases, nullCases, readingCases, orderCases, pageCases, singularCases,
    insertCases, updateCases, deleteCases, upsertCases, batchCases, valueCases, nameCases,
    errorCases, extraCases,
  ].flatMap { $0 }

  /// The most rows that routes may read, in an executor that has ``Capabilities/limits``.
  public static let maximumRows = 50
  /// The most rows that a route may write, in an executor that has ``Capabilities/limits``.
  public static let maximumAffected = 80

  /// Deletes all rows of the tables, and fills them by ``seed``.
  ///
  /// - Throws: What the executor throws.
  public static func restore(_ executor: some RouteExecutor) async throws {
    for table in tables.reversed() {
      try await executor.perform(.delete(from: table, filteredBy: .all))
    }
    for route in seed { try await executor.perform(route) }
  }

  /// What an executor may lack. A rule that needs what it lacks is skipped, and said to be.
  public struct Capabilities: OptionSet, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Routes run together, all or none.
    public static let transactions = Capabilities(rawValue: 1 << 0)
    /// `upsert`.
    public static let upserts = Capabilities(rawValue: 1 << 1)
    /// Rows of other tables come along.
    public static let embeds = Capabilities(rawValue: 1 << 2)
    /// JSON in columns: arrays, and parts of it.
    public static let json = Capabilities(rawValue: 1 << 3)
    /// Tables of full text: those of ``RouteExecutorConformance/fullTextSchema`` are there.
    public static let fullText = Capabilities(rawValue: 1 << 4)
    /// Regular expressions.
    public static let regularExpressions = Capabilities(rawValue: 1 << 5)
    /// The collation `NOCASE`.
    public static let collations = Capabilities(rawValue: 1 << 6)
    /// SQL of one's own.
    public static let customRoutes = Capabilities(rawValue: 1 << 7)
    /// The executor has been given the limits ``RouteExecutorConformance/maximumRows`` and
    /// ``RouteExecutorConformance/maximumAffected``.
    public static let limits = Capabilities(rawValue: 1 << 8)

    /// All of them.
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

  /// A rule that does not hold.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: String
    /// What was looked at.
    public let subject: String
    public let expected: String
    public let got: String

    public var description: String {
      "\(rule): \(subject): expected \(expected), got \(got)"
    }
  }
}

extension RouteExecutorConformance {
  /// One rule.
  public struct Case: Sendable, CustomStringConvertible {
    /// What the rule is about.
    public let topic: Topic
    /// The rule, in words. No two of a topic have the same.
    public let name: String
    /// What an executor needs to be asked at all.
    public let needs: Capabilities
    /// Whether it changes the tables, and so needs them anew.
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
    ///   - executor: It has the tables of ``RouteExecutorConformance/schema``, filled by
    ///     ``RouteExecutorConformance/seed``.
    ///   - capabilities: What it can.
    /// - Returns: Whether the rule holds, or could not be asked. There is no third.
    /// - Throws: ``RouteExecutorConformance/Failure`` where the rule does not hold; `CancellationError`.
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

  /// What came of a rule that was not broken.
  public enum Outcome: Hashable, Sendable {
    case passed
    /// The executor lacks these.
    case skipped(Capabilities)
  }

  /// What rules are about.
  public enum Topic: String, Hashable, Sendable, CaseIterable {
    case filters, logic, nulls, reading, order, pages, singular, insert, update, delete, upsert
    case batches, values, names, errors, json, embeds, fullText, regularExpressions, customRoutes
    case limits
  }
}
