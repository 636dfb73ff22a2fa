public import QueryModel

/// A check of a project's names and options that can't be expressed in Swift.
///
/// The check consists of small steps, so that an editor's requests need not wait until all of a
/// large project is checked.
///
/// ```swift
/// var check = ProjectCheck(project, options: options)
/// while check.step() {}
/// for diagnostic in check.diagnostics { print(diagnostic.message) }
/// ```
public struct ProjectCheck: Sendable {
  private let project: Project
  private let tables: [TableDefinition]
  private let emitter: SwiftEmitter
  /// The names of the declarations, as far as they are known.
  private(set) var named: NamedProject
  /// The number of files and tables whose signatures were checked.
  private var checkedCount = 0

  /// Begins a check.
  ///
  /// - Parameters:
  ///   - project: The checked project.
  ///   - options: The options of the generated code.
  public init(_ project: Project, options: GenerationOptions) {
    self.project = project
    emitter = SwiftEmitter(options: options)
    tables = project.tablesWithStructs
    named = NamedProject(options: options, tables: tables)
  }

  /// The diagnostics found so far.
  public var diagnostics: [EmitterDiagnostic] { named.diagnostics }

  /// Names the queries of the next file, names the types, or checks the next file or tables.
  ///
  /// - Returns: Whether there is more to do.
  public mutating func step() -> Bool { step { _ in } }

  /// - Parameter receive: Receives the signatures of each file's queries, in order.
  mutating func step(_ receive: ([QuerySignature]) -> Void) -> Bool {
    if named.files.count < project.files.count {
      named.nameQueries(of: project)
      return true
    }
    if !named.hasTypes {
      named.nameTypes(of: project)
      return true
    }
    if checkedCount < named.files.count {
      receive(checkFile(at: checkedCount))
      checkedCount += 1
      return true
    }
    let first = checkedCount - named.files.count
    for table in tables[first...].prefix(20) {
      named.check(table, isCodable: emitter.isCodable(table))
      checkedCount += 1
    }
    return checkedCount < named.files.count + tables.count
  }

  private mutating func checkFile(at index: Int) -> [QuerySignature] {
    let signatures = named.files[index].queries.map { QuerySignature($0, named) }
    for (number, signature) in signatures.enumerated() {
      named.check(signature, at: EmitterDiagnostic.Place(file: index, query: number))
    }
    return signatures
  }
}
