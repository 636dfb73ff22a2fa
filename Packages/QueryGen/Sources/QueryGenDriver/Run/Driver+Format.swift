internal import SQLSyntax

/// What a command says about formatting, before what the configuration says.
public struct FormatChoices: Hashable, Sendable {
  public var keywords: FormatOptions.KeywordCase?
  public var width: Int?
  public var indentation: Int?

  public init() {}

  func apply(to options: inout FormatOptions) {
    if let keywords { options.keywords = keywords }
    if let width { options.width = width }
    if let indentation { options.indentation = indentation }
  }
}

extension Driver {
  /// What came of formatting files.
  public struct FormatOutcome: Hashable, Sendable {
    /// The paths of the files that were not formatted, and are now where they were written.
    public var changed: [String] = []
    /// The number of files that were formatted before.
    public var unchangedCount = 0
    /// What can't be read, with its lines.
    public var report = ""
    public var errorCount = 0
  }

  /// Formats files: these, or all migrations and queries of the project.
  ///
  /// - Parameters:
  ///   - files: Paths; `nil` for all of the project.
  ///   - choices: What counts before the configuration.
  ///   - writes: Whether the files are written, and not only looked at.
  public func format(
    files: [String]?, _ choices: FormatChoices = FormatChoices(), writes: Bool
  ) -> FormatOutcome {
    var outcome = FormatOutcome()
    let input = Input(options)
    add(configurationFaults(of: input, withFolders: files == nil), to: &outcome)
    guard outcome.errorCount == 0 else { return outcome }
    let formatter = SQLFormatter(options: formatOptions(input, choices))
    for path in files ?? (input.folder.migrations + input.folder.queries).map(\.path) {
      do throws(FileFailure) {
        let bytes = try TextFile.read(path)
        switch formatter.format(bytes, path: path, usesColor: options.usesColor) {
        case .refused(let report):
          outcome.report += report
          outcome.errorCount += 1
        case .formatted(bytes): outcome.unchangedCount += 1
        case .formatted(let text):
          if writes { try TextFile.write(text, to: path) }
          outcome.changed.append(path)
        }
      } catch {
        add(Outcome([], [error], usesColor: options.usesColor), to: &outcome)
      }
    }
    return outcome
  }

  /// Formats a text, as the project's configuration says.
  ///
  /// - Returns: The text; `nil` where it can't be read, which the outcome says.
  public func format(
    _ bytes: [UInt8], _ choices: FormatChoices = FormatChoices()
  ) -> (outcome: FormatOutcome, text: [UInt8]?) {
    var outcome = FormatOutcome()
    let input = Input(options)
    add(configurationFaults(of: input, withFolders: false), to: &outcome)
    guard outcome.errorCount == 0 else { return (outcome, nil) }
    let formatter = SQLFormatter(options: formatOptions(input, choices))
    switch formatter.format(bytes, path: "<stdin>", usesColor: options.usesColor) {
    case .formatted(let text): return (outcome, text)
    case .refused(let report):
      outcome.report = report
      outcome.errorCount = 1
      return (outcome, nil)
    }
  }

  private func formatOptions(_ input: Input, _ choices: FormatChoices) -> FormatOptions {
    var options = input.configuration.format
    choices.apply(to: &options)
    return options
  }

  private func configurationFaults(of input: Input, withFolders: Bool) -> Outcome {
    let files = [input.configurationFile].compactMap(\.self)
    let failures = input.failures + (withFolders ? input.folder.failures : [])
    return Outcome(files, failures, usesColor: options.usesColor)
  }

  private func add(_ found: Outcome, to outcome: inout FormatOutcome) {
    outcome.report += found.report
    outcome.errorCount += found.errorCount
  }
}
