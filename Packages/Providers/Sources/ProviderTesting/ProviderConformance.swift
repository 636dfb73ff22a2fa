internal import Providers

/// What every `DataProvider` has to do, as rules that any of them can be run against.
///
/// Say how a provider is made, and what it can; each rule makes its own, in folders of its own, and removes them:
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
/// It needs no testing framework: a rule that does not hold throws a ``Failure``, which says what was expected and
/// what came instead.
public enum ProviderConformance {
  /// All rules.
  public static let cases: [Case] = [
    openingCases, readOnlyCases, bundleCases, fileNameCases, savingCases, deletingCases,
    persistingCases, fileChangeCases, fileSystemCases, closingCases, closedCases, executingCases,
    insertedIDCases, parameterCases, queryCases, streamCases, tableCases, countCases, idCases,
    transactionCases, openTransactionCases, asyncCases, concurrencyCases, valueCases, textCases,
    schemaCases, identifierCases, sizeCases,
  ].flatMap { $0 }

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

  /// What came of a rule that was not broken.
  public enum Outcome: Hashable, Sendable {
    case passed
    /// The provider lacks these.
    case skipped(Capabilities)
  }

  /// What rules are about.
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
