internal import SQLSemantics
internal import SQLSyntax

/// Q1: splits SQL text into tokens, and parses it. Q2: checks the schema and the queries of a large
/// project. Q2b: generates Swift files from the project's files.
enum SQLReading {
  static func workloads(_ fixture: Fixture) -> [Workload] {
    let text = SQLText(size: fixture.scale.sqlBytes)
    let project = SQLProject(tables: 200, queries: 2_000)
    let files = SQLFiles(project, in: fixture.file("project"))
    let few = SwiftCalls(queries: 20, in: fixture.file("calls-20"))
    let many = SwiftCalls(queries: 2_000, in: fixture.file("calls-2000"))
    return [
      Workload(
        "Q1", "read \(fixture.scale.sqlBytes / 1_000_000) MB of SQL",
        measures: [.perByte, .megabytesPerSecond],
        implementations: [
          BenchmarkImplementation("Holt, tokens") { text.lex() },
          BenchmarkImplementation("Holt") { try text.parse() },
        ],
        comparisons: [
          Comparison(.perByte, "lex SQL", holt: "Holt, tokens"),
          Comparison(.perByte, "parse SQL"),
        ]),
      Workload(
        "Q2", "check a schema of 200 tables and 2,000 queries",
        implementations: [BenchmarkImplementation("Holt") { try project.check() }],
        comparisons: [Comparison(.cpuMilliseconds, "check a project")]),
      Workload(
        "Q2b", "200 tables and 2,000 queries in 101 files, from files to Swift",
        implementations: [
          BenchmarkImplementation("Holt") { try files.generate(isFirst: true) },
          BenchmarkImplementation("Holt, nothing changed") { try files.generate(isFirst: false) },
        ],
        comparisons: [
          Comparison(.cpuMilliseconds, "generate all"),
          Comparison(.cpuMilliseconds, "generate again", holt: "Holt, nothing changed"),
        ]),
      Workload(
        "Q4", "type-check 80 calls of generated queries",
        measures: [.perRecord],
        implementations: [
          BenchmarkImplementation("Holt, 20 queries") { try few.check() },
          BenchmarkImplementation("Holt, 2,000 queries") { try many.check() },
        ],
        comparisons: [
          Comparison(.perRecord, "call among 2,000 queries", holt: "Holt, 2,000 queries"),
          Comparison(
            metric: "call among 2,000 queries, of one among 20", .perRecord,
            .multiple(of: "Holt, 20 queries"), holt: "Holt, 2,000 queries"),
        ]),
    ]
  }
}

/// Typical statements, repeated.
final class SQLText: Sendable {
  private let source: SourceText

  init(size: Int) {
    let project = SQLProject(tables: 50, queries: 400)
    let once = project.schema + project.queries.joined(separator: "\n")
    let bytes = Array(once.utf8)
    var all: [UInt8] = []
    all.reserveCapacity(size + bytes.count)
    while all.count < size { all += bytes }
    source = SourceText(bytes: all)
  }

  func lex() -> Work {
    let watch = Stopwatch()
    let list = Lexer.tokenize(source)
    return work(watch.time, list.tokens.count)
  }

  func parse() throws -> Work {
    let watch = Stopwatch()
    var diagnostics = DiagnosticList()
    let script = Parser.parseScript(source, diagnostics: &diagnostics)
    let time = watch.time
    guard !diagnostics.hasErrors else { throw BaselineError(code: 1) }
    return work(time, script.statements.count)
  }

  private func work(_ time: Time, _ records: Int) -> Work {
    Work(
      checksum: nil, time: time,
      counts: [Work.bytes: Double(source.byteCount), Work.records: Double(records)])
  }
}
