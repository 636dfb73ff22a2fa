internal import Foundation

/// Refuses a repository that an app can't require by URL and version for one product alone.
///
/// The working copy is committed to a throwaway repository and tagged; an app that wants one
/// product is built from there, optimized as it would be shipped, and run. Nothing else may be fetched,
/// and nothing else compiled.
public struct ConsumerCheck: Check {
  public let name = "consumer"
  public let summary = "an app takes one product by URL and version; nothing else is built"

  /// The product that the app takes, and all that may be compiled for it.
  static let product = "SQLiteCore"
  static let compiled: Set<String> = ["SQLiteCore", "CSQLite", "app"]

  /// What the app does: code of the product that is compiled into it, for the app's own types.
  private static let main = """
    struct Book: RowDecodable, RowEncodable, Codable, Equatable {
      var id: Int
      var title: String

      init(id: Int, title: String) {
        self.id = id
        self.title = title
      }

      init(row: borrowing Row) throws(SQLiteError) {
        self.init(id: try row.read(at: 0), title: try row.read(at: 1))
      }

      func bind(to statement: Statement) throws(SQLiteError) {
        try statement.bind(id, at: 1)
        try statement.bind(title, at: 2)
      }
    }

    let books = [Book(id: 1, title: "On Formally Undecidable Propositions")]
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    try connection.run("INSERT INTO book VALUES (?, ?)", ofEach: books)
    let read = try connection.fetchAll(Book.self, "SELECT * FROM book")
    let decoded = try connection.fetchAll(decoding: Book.self, "SELECT * FROM book")
    if read == books, decoded == books { print("\\(read.count) row") }
    """

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "holt-consumer-\(UUID().uuidString)", directoryHint: .isDirectory)
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = folder.appending(path: "holt", directoryHint: .isDirectory)
    let app = folder.appending(path: "app", directoryHint: .isDirectory)
    do {
      try ReleasedCopy.make(of: repository, at: library)
      try writeApp(at: app, requiring: library)
    } catch let error as CheckError {
      throw error
    } catch {
      throw CheckError("cannot write the app: \(error)")
    }
    let build = try Command.run([
      "swift", "build", "-c", "release", "--package-path", app.path(percentEncoded: false),
      "--disable-dependency-cache",
    ])
    guard build.status == 0 else {
      let reason = (build.output + build.errors).split(separator: "\n")
        .filter { $0.contains("error:") }
      return [Self.finding("an app that takes \(Self.product) does not build: \(reason)")]
    }
    let run = try Command.run([
      app.appending(path: ".build/release/app").path(percentEncoded: false)
    ])
    guard run.status == 0, run.output == "1 row\n" else {
      let printed = run.output + run.errors
      return [Self.finding("an app that takes \(Self.product) does not work: \(printed)")]
    }
    return Self.findings(afterBuilding: app)
  }

  private static func finding(_ message: String) -> Finding {
    Finding(path: ManifestCheck.path, line: 1, message: message)
  }

  private func writeApp(at app: URL, requiring library: URL) throws {
    let sources = app.appending(path: "Sources/app", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    let manifest = """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "app",
        platforms: [.macOS(.v15)],
        dependencies: [.package(url: \(library.absoluteString.quoted), from: "1.0.0")],
        targets: [
          .executableTarget(
            name: "app", dependencies: [.product(name: "\(Self.product)", package: "holt")])
        ]
      )
      """
    let main = "import \(Self.product)\n\n\(Self.main)\n"
    try Data(manifest.utf8).write(to: app.appending(path: "Package.swift"))
    try Data(main.utf8).write(to: sources.appending(path: "main.swift"))
  }

  /// What the build left behind shows what it fetched and compiled.
  static func findings(afterBuilding app: URL) -> [Finding] {
    let tree = Repository(root: app.appending(path: ".build", directoryHint: .isDirectory))
    var findings = tree.names(in: "checkouts").filter { $0 != "holt" }.map {
      finding("an app that takes \(product) fetches \($0) too")
    }
    for folder in tree.names(in: "release") where folder.hasSuffix(".build") {
      let target = String(folder.dropLast(".build".count))
      let objects = tree.files(under: "release/\(folder)").filter { $0.hasSuffix(".o") }
      if !compiled.contains(target), !objects.isEmpty {
        findings.append(finding("an app that takes \(product) compiles \(target) too"))
      }
    }
    return findings
  }
}
