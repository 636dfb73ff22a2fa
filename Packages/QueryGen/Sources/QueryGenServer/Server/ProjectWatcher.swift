internal import Foundation
public import QueryGenDriver
internal import QueryGenLanguage

/// A project that is checked again when its files have changed on disk, with all databases of its
/// target.
///
/// Like the language server, a watcher analyzes only the statements that a change affects.
public struct ProjectWatcher {
  /// A difference from the last check.
  public struct Event: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case added, removed, generated }

    public var kind: Kind
    /// The diagnostic that has appeared or disappeared.
    public var diagnostic: ReportedDiagnostic?
    /// The generated file that was written or removed.
    public var file: String?

    /// The event as a line for a terminal.
    public var text: String {
      guard let diagnostic else { return "wrote \(file ?? "")" }
      let place = diagnostic.place.map { ":\($0.line):\($0.column)" } ?? ""
      let text =
        "\(diagnostic.file)\(place): \(diagnostic.severity.rawValue): \(diagnostic.message)"
      return kind == .added ? text : "fixed: \(text)"
    }

    /// The event as a line of JSON.
    public var json: String {
      guard let diagnostic else {
        let data = (try? JSONEncoder().encode(file ?? "")) ?? Data()
        return "{\"event\":\"generated\",\"file\":\(String(decoding: data, as: UTF8.self))}"
      }
      return "{\"event\":\"\(kind.rawValue)\"," + diagnostic.json.dropFirst()
    }
  }

  private let driver: Driver
  private let generates: Bool
  private let makePlanSession: PlanSessionMaker?
  /// The databases of the target.
  private var databases: [Database]
  private var stamps: [String: Date] = [:]
  private var reported: [ReportedDiagnostic] = []
  private var isFirst = true

  private struct Database {
    let options: DriverOptions
    var project: LanguageProject
    var planSession: (any PlanSession)?

    init(_ options: DriverOptions) {
      self.options = options
      project = LanguageProject(options)
    }

    mutating func finishPlans(_ makeSession: PlanSessionMaker) {
      project.finishPlans(&planSession, makeSession)
    }
  }

  /// - Parameters:
  ///   - options: The project.
  ///   - generates: Whether to generate the Swift code.
  ///   - makePlanSession: Creates the database in which plans are determined; `nil` to omit them.
  public init(
    _ options: DriverOptions, generates: Bool, makePlanSession: PlanSessionMaker? = nil
  ) {
    driver = Driver(options)
    self.generates = generates
    self.makePlanSession = makePlanSession
    databases = options.databases.map(Database.init)
  }

  /// Checks the files, and returns the differences from the last check. The first check reports
  /// everything.
  public mutating func check() -> [Event] {
    let current = stampsOfFiles()
    guard isFirst || current != stamps else { return [] }
    if !isFirst { reload() }
    stamps = stampsOfFiles()
    isFirst = false
    for index in databases.indices {
      databases[index].project.finish()
      if let makePlanSession {
        databases[index].finishPlans(makePlanSession)
      }
    }
    var diagnostics = databases.flatMap(\.project.reportedDiagnostics)
    var generated: [Event] = []
    if generates, !diagnostics.contains(where: { $0.severity == .error }) {
      let outcome = driver.generate()
      // Names that several databases use are found only here.
      diagnostics += outcome.diagnostics.filter { !diagnostics.contains($0) }
      generated = (outcome.written + outcome.removed).map {
        Event(kind: .generated, file: "\(outcome.output)/\($0)")
      }
    }
    var events = reported.filter { !diagnostics.contains($0) }.map {
      Event(kind: .removed, diagnostic: $0)
    }
    events += diagnostics.filter { !reported.contains($0) }.map {
      Event(kind: .added, diagnostic: $0)
    }
    reported = diagnostics
    return events + generated
  }

  /// Reads all files again. Databases may have been added or removed.
  private mutating func reload() {
    let options = driver.options.databases
    if options == databases.map(\.options) {
      for index in databases.indices { databases[index].project.reload(openFiles: [:]) }
    } else {
      databases = options.map(Database.init)
    }
  }

  /// The modification times of the files in the folders of all databases.
  private func stampsOfFiles() -> [String: Date] {
    var stamps: [String: Date] = [:]
    for folder in Set(databases.flatMap(\.project.watchedFolders)) {
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      where name.hasSuffix(".sql") || name.hasSuffix(".yaml") || name.hasSuffix(".lock") {
        let path = "\(folder)/\(name)"
        stamps[path] =
          (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
      }
    }
    return stamps
  }
}
