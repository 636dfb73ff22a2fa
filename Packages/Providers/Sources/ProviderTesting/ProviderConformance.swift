internal import Providers

/// The rules for every `DataProvider`, as tests that can be run against any provider.
///
/// Specify how a provider is created, and its capabilities. Each rule creates its own providers, in
/// a folder that it removes:
///
/// ```swift
/// @Suite struct `My provider` {
///   static let candidate = ProviderConformance.Candidate(
///     "LogProvider", fileExtension: "log", supporting: .file.subtracting(.blobs)
///   ) { LogProvider(directories: $0) }
///
///   @Test(arguments: ProviderConformance.cases)
///   func `does what is promised`(_ rule: ProviderConformance.Case) async throws {
///     let outcome = try await rule.run(on: Self.candidate)
///     if case .skipped(let missing) = outcome { print("\(rule): needs \(missing)") }
///   }
/// }
/// ```
///
/// No testing framework is needed: a violated rule throws a ``Failure`` that contains the expected
/// and the actual result.
public enum ProviderConformance {
  /// All rules.
  public static let cases: [Case] = [
    openingCases, readOnlyCases, bundleCases, fileNameCases, savingCases, deletingCases,
    persistingCases, fileChangeCases, fileSystemCases, closingCases, closedCases, executingCases,
    insertedIDCases, parameterCases, queryCases, streamCases, tableCases, countCases, idCases,
    transactionCases, openTransactionCases, asyncCases, concurrencyCases, valueCases, textCases,
    schemaCases, identifierCases, sizeCases,
  ].flatMap { $0 }

  /// A violated rule.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: String
    /// The tested operation or value.
    public let subject: String
    public let expected: String
    public let got: String

    public var description: String {
      "\(rule): \(subject): expected \(expected), got \(got)"
    }
  }

  /// The result of a rule that was not violated.
  public enum Outcome: Hashable, Sendable {
    case passed
    /// The provider lacks these capabilities.
    case skipped(Capabilities)
  }

  /// A topic of rules.
  public enum Topic: String, Hashable, Sendable, CaseIterable {
    case opening, readOnly, bundle, fileNames, saving, deleting, persisting, fileChanges
    case fileSystem, closing, closed, executing, insertedIDs, parameters, queries, streams
    case tables, counts, ids, transactions, openTransactions, async, concurrency, values, texts
    case schema, identifiers, size
  }
}

extension ProviderConformance {
  /// One rule.
  public struct Case: Sendable, CustomStringConvertible {
    /// The rule's topic.
    public let topic: Topic
    /// The rule, in words. It is unique within its topic.
    public let name: String
    /// The capabilities that the rule needs.
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

    /// Runs the rule in a temporary folder, which is removed afterwards.
    ///
    /// - Returns: Whether the rule passed or was skipped.
    /// - Throws: ``ProviderConformance/Failure`` if the rule is violated; `CancellationError`.
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
          rule: description, subject: "the rule's operations", expected: "no error",
          got: "\(error)")
      }
    }
  }

  /// Creates a rule for synchronous methods.
  static func rule(
    _ topic: Topic, _ name: String, needs: Capabilities = [],
    _ body: @escaping @Sendable (Subject) throws -> Void
  ) -> Case {
    Case(topic, name, needs: needs) { try body($0) }
  }

  /// Creates a rule for asynchronous methods.
  static func asyncRule(
    _ topic: Topic, _ name: String, needs: Capabilities = [],
    _ body: @escaping @Sendable (Subject) async throws -> Void
  ) -> Case {
    Case(topic, name, needs: needs, body)
  }

  /// Returns an escaped string as a part of a rule's name, so that different strings look
  /// different.
  static func quoted(_ text: String) -> String {
    "\"\(text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined())\""
  }
}
