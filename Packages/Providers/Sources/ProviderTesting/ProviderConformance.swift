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
