/// Rejects samples in documents that no target compiles.
///
/// A source of a test target or of an example app must contain each Swift sample, line by line. SQL and YAML samples
/// may also be in a file next to such a source. SwiftPM loads fragments of manifests, whose products and traits must
/// exist. Console transcripts are allowed on pages that a test runs, and so is any SQL and YAML on pages that a test
/// generates. ``TutorialCheck`` builds the tutorial, because its files replace each other.
public struct SamplesCheck: Check {
  public let name = "samples"
  public let summary = "a compiled source contains each sample of a document"

  /// The pages with `console` blocks, and the sources that run the blocks.
  static let transcripts = [
    "Docs/holt.md": "Tools/Holt/Tests/HoltToolTests/PageTests.swift",
    "Tools/Examples/Notes/README.md": "Tools/Examples/Notes/Tests/NotesRunTests.swift",
    TutorialCheck.page: "Tools/Checks/Sources/HoltChecks/Checks/TutorialCheck.swift",
  ]
  /// The pages that tests generate from samples that they check, and the sources of these tests.
  static let generated = [
    "Docs/Diagnostics.md":
      "Packages/QueryGen/Tests/QueryGenDriverTests/Explanations/DiagnosticsPageTests.swift"
  ]
  /// The languages of samples in files of tests, in addition to Swift.
  static let texts: Set<String> = ["sql", "yaml"]

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let files = repository.files()
    var sources = SampleSources()
    for path in files where Self.isSource(path) {
      sources.add(try repository.text(of: path), at: path)
    }
    var manifests = ManifestSamples(repository: repository)
    var findings: [Finding] = []
    for path in files where Self.isPage(path) {
      for block in CodeBlock.blocks(of: try repository.text(of: path)) {
        let message = try Self.fault(
          of: block, on: path, in: repository, sources: sources, manifests: &manifests)
        if let message { findings.append(Finding(path: path, line: block.line, message: message)) }
      }
    }
    return findings
  }

  /// Returns whether a file is a current document. Decisions describe the code at the time of the decision.
  private static func isPage(_ path: String) -> Bool {
    path.hasSuffix(".md") && !path.hasPrefix("Docs/Decisions/")
  }

  private static func isSource(_ path: String) -> Bool {
    let isOfTests = CallSite(path: path) == .tests || path.hasPrefix("Tools/Examples/")
    guard isOfTests else { return false }
    // Goldens are expected output; SwiftPM does not compile them.
    if path.hasSuffix(".swift") { return !path.split(separator: "/").contains("Goldens") }
    return texts.contains { path.hasSuffix(".\($0)") }
  }

  /// - Returns: The fault of a block, or `nil`.
  private static func fault(
    of block: CodeBlock, on path: String, in repository: Repository, sources: SampleSources,
    manifests: inout ManifestSamples
  ) throws(CheckError) -> String? {
    guard block.isClosed else { return "the block has no closing fence" }
    if path == TutorialCheck.page, block.sample.file != nil { return nil }
    switch block.language {
    case "swift" where ManifestSamples.isManifest(block.sample):
      return try manifests.fault(of: block.sample)
    case let language where texts.contains(language) && generated.keys.contains(path):
      return faultOfGenerated(path, in: repository)
    case let language where language == "swift" || texts.contains(language):
      return fault(of: block, in: sources)
    case "console":
      return faultOfTranscript(on: path, in: repository)
    default:
      return nil
    }
  }

  private static func fault(of block: CodeBlock, in sources: SampleSources) -> String? {
    let sample = block.sample.withoutFile
    switch sources.search(sample, isSwift: block.language == "swift") {
    case .found:
      return nil
    case .nowhere:
      return "no source of a test or an example contains \(quoted(sample, 0))"
    case .isText(let path, let line):
      return "the lines are only in a comment or a string, at \(path):\(line)"
    case .differs(let count, let path, let line):
      return
        "no source of a test or an example contains this; \(path):\(line) is not \(quoted(sample, count))"
    }
  }

  private static func faultOfGenerated(_ path: String, in repository: Repository) -> String? {
    guard let test = generated[path], !repository.exists(test) else { return nil }
    return "\(test), which generates the page, does not exist"
  }

  private static func quoted(_ sample: Sample, _ index: Int) -> String {
    "line \(sample.firstLine + index), \"\(sample.lines[index].drop { $0 == " " })\""
  }

  private static func faultOfTranscript(on path: String, in repository: Repository) -> String? {
    guard let runner = transcripts[path] else {
      return
        "no test runs the transcripts of this page; add it to SamplesCheck.transcripts if one does"
    }
    return repository.exists(runner) ? nil : "\(runner), which runs them, does not exist"
  }
}
