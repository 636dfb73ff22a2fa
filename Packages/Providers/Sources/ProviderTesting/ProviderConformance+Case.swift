internal import Providers

extension ProviderConformance {
  /// One rule.
  public struct Case: Sendable, CustomStringConvertible {
    /// What the rule is about.
    public let topic: Topic
    /// The rule, in words. No two of a topic have the same.
    public let name: String
    /// What a provider needs to be asked at all.
    public let needs: Capabilities
    private let body: @Sendable (Subject) async throws -> Void

    public var description: String { "\(topic.rawValue): \(name)" }

    fileprivate init(
      _ topic: Topic, _ name: String, needs: Capabilities,
      _ body: @escaping @Sendable (Subject) async throws -> Void
    ) {
      self.topic = topic
      self.name = name
      self.needs = needs
      self.body = body
    }

    /// Runs the rule, in a folder of its own that is removed afterwards.
    ///
    /// - Returns: Whether the rule holds, or could not be asked. There is no third.
    /// - Throws: ``ProviderConformance/Failure`` where the rule does not hold; `CancellationError`.
    @discardableResult
    public func run(on candidate: Candidate) async throws -> Outcome {
      guard candidate.capabilities.isSuperset(of: needs) else {
        return .skipped(needs.subtracting(candidate.capabilities))
      }
      let subject: Subject
      do {
        subject = try Subject(candidate, rule: description)
      } catch {
        throw Failure(
          rule: description, subject: "a folder for the rule", expected: "no error",
          got: "\(error)")
      }
      defer { subject.end() }
      do {
        try await body(subject)
        return .passed
      } catch let error as Failure {
        throw error
      } catch let error as CancellationError {
        throw error
      } catch {
        throw Failure(
          rule: description, subject: "what the rule does", expected: "no error", got: "\(error)")
      }
    }
  }

  /// A rule on the functions that have a thread wait.
  static func rule(
    _ topic: Topic, _ name: String, needs: Capabilities = [],
    _ body: @escaping @Sendable (Subject) throws -> Void
  ) -> Case {
    Case(topic, name, needs: needs) { try body($0) }
  }

  /// A rule on those that have none wait.
  static func asyncRule(
    _ topic: Topic, _ name: String, needs: Capabilities = [],
    _ body: @escaping @Sendable (Subject) async throws -> Void
  ) -> Case {
    Case(topic, name, needs: needs, body)
  }

  /// A text as a part of a rule's name, so that no two look alike.
  static func shown(_ text: String) -> String {
    "\"\(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
  }
}
