public import Router

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
