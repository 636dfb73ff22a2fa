internal import Providers
internal import SQLiteCore
internal import Primitives

extension ProviderConformance {
  /// The environment of a rule: its provider, its folder, and the checks of its results.
  final class Subject: Sendable {
    let candidate: Candidate
    let rule: String
    let workspace: Workspace
    private let providers = Mutex<[any DataProvider]>([])

    init(_ candidate: Candidate, rule: String) throws {
      self.candidate = candidate
      self.rule = rule
      workspace = try Workspace(in: candidate.folder)
    }

    func end() {
      for provider in providers.withLock(\.self) {
        try? provider.closeSource(discardingChanges: true)
      }
      workspace.remove()
    }

    func has(_ capability: Capabilities) -> Bool { candidate.capabilities.contains(capability) }

    // MARK: Sources

    /// Returns the file name of a source.
    func file(_ name: String = "t") -> String { "\(name).\(candidate.fileExtension)" }

    /// Returns the path of a source in the document directory.
    func path(_ name: String = "t") -> String { "\(workspace.documents)/\(file(name))" }

    /// Returns the path of a source in the bundle.
    func bundlePath(_ name: String = "t") -> String { "\(workspace.bundle)/\(file(name))" }

    /// Creates a provider without an open source.
    func provider() -> any DataProvider {
      let provider = candidate.make(
        SourceSession.Directories(documents: workspace.documents, bundle: workspace.bundle))
      providers.withLock { $0.append(provider) }
      return provider
    }

    /// Creates a provider with a new source, and executes SQL.
    func opened(_ sql: String..., named name: String = "t") throws -> any DataProvider {
      let provider = provider()
      if has(.files) {
        try provider.openSource(file(name))
      } else {
        try provider.createSourceInMemory()
      }
      for sql in sql { try provider.execute(SQL(unsafe: sql)) }
      return provider
    }

    /// Closes a source and opens it with another provider; returns the same provider for sources in
    /// memory.
    func reopened(
      _ provider: any DataProvider, named name: String = "t", readOnly: Bool = false
    ) throws -> any DataProvider {
      guard has(.files) else { return provider }
      try provider.closeSource()
      let other = self.provider()
      try other.openSource(file(name), readOnly: readOnly)
      return other
    }

    /// Creates a provider with a new source that contains a table of two rows.
    func providerWithRows(named name: String = "t") throws -> any DataProvider {
      let provider = try opened(named: name)
      try fill(provider, name)
      return provider
    }

    /// Creates a file with a table of two rows, in the document directory.
    @discardableResult
    func fileWithRows(named name: String = "t") throws -> String {
      try providerWithRows(named: name).closeSource()
      return path(name)
    }

    /// Creates a file with a table of two rows, in the bundle.
    @discardableResult
    func bundleFileWithRows(named name: String = "t") throws -> String {
      let provider = provider()
      try provider.openSource(atPath: bundlePath(name))
      try fill(provider, name)
      try provider.closeSource()
      return bundlePath(name)
    }

    func fill(_ provider: any DataProvider, _ name: String = "t") throws {
      let table = SQLName.quoted(name)
      try provider.execute("CREATE TABLE \(unsafe: table) (id INTEGER PRIMARY KEY, name TEXT)")
      try provider.execute("INSERT INTO \(unsafe: table) VALUES (1, 'Milk'), (2, 'Bread')")
    }

    static let initialRows: [[SQLiteValue]] = [[1, "Milk"], [2, "Bread"]]
    static let changedRows: [[SQLiteValue]] = [[1, "Milk"], [2, "Bread"], [3, "Salt"]]

    /// Adds a third row to the first table, regardless of its name.
    func change(_ provider: any DataProvider) throws {
      let table = try provider.tableNames().first ?? "t"
      try provider.execute(
        "INSERT INTO \(identifier: table) (id, name) VALUES (3, 'Salt')")
    }

    /// Returns the rows of the first table, regardless of its name.
    func contents(_ provider: any DataProvider) throws -> [[SQLiteValue]] {
      guard let table = try provider.tableNames().first else { return [] }
      return try rows(provider, "SELECT * FROM \(identifier: table)")
    }

    /// Returns the rows of a file's first table, read by another provider.
    func contents(ofFile path: String) throws -> [[SQLiteValue]] {
      let provider = provider()
      try provider.openSource(atPath: path, readOnly: true)
      defer { try? provider.closeSource() }
      return try contents(provider)
    }

    func rows(
      _ provider: any DataProvider, _ sql: SQL, _ values: [(any SQLiteBindable)?] = []
    ) throws -> [[SQLiteValue]] {
      try provider.query(sql, withParameters: values).map(\.values)
    }

    // MARK: Checks

    /// Compares the actual with the expected value.
    func expect<Value: Equatable>(
      _ got: Value, _ expected: Value, _ subject: @autoclosure () -> String
    ) throws {
      guard got != expected else { return }
      throw Failure(
        rule: rule, subject: subject(), expected: Self.truncated(expected), got: Self.truncated(got)
      )
    }

    private static func truncated(_ value: Any) -> String {
      let text = "\(value)"
      return text.count > 500 ? "\(text.prefix(500))…" : text
    }

    func expectRows(
      _ provider: any DataProvider, _ sql: String, _ expected: [[SQLiteValue]]
    ) throws {
      try expect(rows(provider, SQL(unsafe: sql)), expected, sql)
    }

    /// Checks the single value that a query returns.
    func expectValue(
      _ provider: any DataProvider, _ sql: String, _ expected: SQLiteValue,
      _ values: [(any SQLiteBindable)?] = []
    ) throws {
      try expect(rows(provider, SQL(unsafe: sql), values), [[expected]], sql)
    }

    /// Checks the result of `execute`.
    func expectResult(
      _ provider: any DataProvider, _ sql: String, _ expected: Int,
      values: [(any SQLiteBindable)?] = []
    ) throws {
      try expect(
        provider.execute(SQL(unsafe: sql), withParameters: values), expected, "the result of \(sql)"
      )
    }

    /// Checks the code of a thrown error.
    func expectCode(
      _ codes: ProviderError.Code..., doing subject: String, _ body: () throws -> Void
    ) throws {
      try expectCode(codes, expectError(subject, body), subject)
    }

    func expectCode(
      _ codes: ProviderError.Code..., doing subject: String, _ body: () async throws -> Void
    ) async throws {
      try expectCode(codes, await expectError(subject, body), subject)
    }

    private func expectCode(
      _ codes: [ProviderError.Code], _ error: any Error, _ subject: String
    ) throws {
      guard let found = (error as? ProviderError)?.code, codes.contains(found) else {
        throw Failure(
          rule: rule, subject: subject,
          expected: "a ProviderError of code \(codes.map(\.rawValue).joined(separator: " or "))",
          got: "\(error)")
      }
    }

    /// Checks that an `SQLiteError` is thrown.
    @discardableResult
    func expectSQLiteError(
      _ code: SQLiteError.Code? = nil, doing subject: String, _ body: () throws -> Void
    ) throws -> SQLiteError {
      let error = try expectError(subject, body)
      guard let error = error as? SQLiteError, code == nil || error.code == code else {
        throw Failure(
          rule: rule, subject: subject,
          expected: "an SQLiteError\(code.map { " of code \($0)" } ?? "")", got: "\(error)")
      }
      return error
    }

    /// Checks that any error is thrown.
    @discardableResult
    func expectError(_ subject: String, _ body: () throws -> Void) throws -> any Error {
      do {
        try body()
      } catch {
        return error
      }
      throw Failure(rule: rule, subject: subject, expected: "an error", got: "none")
    }

    @discardableResult
    func expectError(
      _ subject: String, _ body: () async throws -> Void
    ) async throws -> any Error {
      do {
        try await body()
      } catch {
        return error
      }
      throw Failure(rule: rule, subject: subject, expected: "an error", got: "none")
    }

    /// Checks that a file is not modified.
    func expectUntouched(
      _ path: String, _ subject: String, _ body: () throws -> Void
    ) throws {
      let before = try workspace.state(of: path)
      try body()
      try expect(workspace.state(of: path), before, "the file after \(subject)")
    }

    /// The error that rules throw to check that it is rethrown.
    struct Thrown: Error, Hashable {}

    func expectThrown(_ subject: String, _ body: () throws -> Void) throws {
      let error = try expectError(subject, body)
      guard error is Thrown else {
        throw Failure(
          rule: rule, subject: subject, expected: "the thrown error", got: "\(error)")
      }
    }
  }
}
