internal import QueryGenDriver
public import SQLSyntax

/// A change to an open document.
public struct DocumentChange: Hashable, Sendable {
  /// The replaced range; `nil` for the whole document.
  public var range: Range<TextPosition>?
  public var text: String

  public init(range: Range<TextPosition>?, text: String) {
    self.range = range
    self.text = text
  }
}

/// The projects of a workspace, with the documents that are open in an editor.
///
/// A host is a state machine without clocks and threads: its owner passes it changes, and calls
/// ``step()`` until everything is analyzed. A host is independent of the protocol.
///
/// ```swift
/// var host = LanguageHost(folders: ["/home/me/app"], encoding: .utf16)
/// host.open(path, text: text, version: 1)
/// host.finish()
/// for diagnostic in host.diagnostics(of: path) { show(diagnostic) }
/// ```
public struct LanguageHost: Sendable {
  /// An open document.
  public struct Document: Sendable {
    public var version: Int?
    /// The text as the editor has it.
    public var bytes: [UInt8]
    public var positions: PositionMap
  }

  private var folders: [String]
  public let encoding: PositionEncoding
  public private(set) var documents: [String: Document] = [:]
  /// The projects, by root. The root of a single file is its path.
  public private(set) var projects: [String: LanguageProject] = [:]

  /// Finds the projects in folders.
  public init(folders: [String], encoding: PositionEncoding) {
    self.folders = folders
    self.encoding = encoding
    findProjects()
  }

  // MARK: Workspace

  /// Replaces the folders of the workspace.
  public mutating func setFolders(_ folders: [String]) {
    self.folders = folders
    filesChanged()
  }

  public var workspaceFolders: [String] { folders }

  /// Reads all files again that are not open, since they may have changed on disk.
  public mutating func filesChanged() {
    findProjects()
    let openFiles = openFiles
    for root in Array(projects.keys) { projects[root]?.reload(openFiles: openFiles) }
  }

  private var openFiles: [String: [UInt8]] { documents.mapValues(\.bytes) }

  private mutating func findProjects() {
    let roots = ProjectFinder.projects(in: folders)
    let openFiles = openFiles
    for root in roots where projects[root] == nil {
      projects[root] = LanguageProject(root: root, openFiles: openFiles)
    }
    for (root, project) in projects
    where !project.isSingleFile && !roots.contains(root) && !ProjectFinder.isProject(root) {
      projects[root] = nil
    }
    for path in documents.keys { addProject(of: path) }
  }

  /// Ensures that an open document belongs to a project, or is one itself.
  private mutating func addProject(of path: String) {
    if let root = projectRoot(of: path), projects[root]?.isSingleFile == false {
      projects[path] = projects[path]?.isSingleFile == true ? nil : projects[path]
      return
    }
    if let root = ProjectFinder.project(above: path), projects[root] == nil {
      let project = LanguageProject(root: root, openFiles: openFiles)
      if project.contains(path) {
        projects[root] = project
        if projects[path]?.isSingleFile == true { projects[path] = nil }
        return
      }
    }
    if projects[path] == nil, path.lowercased().hasSuffix(".sql"), let document = documents[path] {
      projects[path] = LanguageProject(file: path, bytes: document.bytes)
    }
  }

  /// Returns the root of the project that contains a file. If projects are nested, it is the inner
  /// one.
  public func projectRoot(of path: String) -> String? {
    var found: String?
    for (root, project) in projects
    where root.utf8.count > (found?.utf8.count ?? -1) && project.contains(path) { found = root }
    return found
  }

  // MARK: Documents

  public mutating func open(_ path: String, text: String, version: Int?) {
    setDocument(path, Array(text.utf8), version)
    addProject(of: path)
    update(path)
  }

  /// Applies changes in order.
  ///
  /// - Returns: `false` if the document is not open.
  @discardableResult
  public mutating func change(
    _ path: String, _ changes: [DocumentChange], version: Int?
  ) -> Bool {
    guard var document = documents[path] else { return false }
    for change in changes {
      if let range = change.range {
        let span = document.positions.span(of: range)
        document.bytes.replaceSubrange(span.range, with: change.text.utf8)
      } else {
        document.bytes = Array(change.text.utf8)
      }
      document.positions = PositionMap(document.bytes, encoding: encoding)
    }
    setDocument(path, document.bytes, version ?? document.version)
    update(path)
    return true
  }

  /// Closes a document, whose text on disk counts again.
  public mutating func close(_ path: String) {
    guard documents.removeValue(forKey: path) != nil else { return }
    if projects[path]?.isSingleFile == true {
      projects[path] = nil
    } else if let root = projectRoot(of: path) {
      let openFiles = openFiles
      projects[root]?.reload(openFiles: openFiles)
      reloadProjects(attaching: path)
    }
  }

  private mutating func setDocument(_ path: String, _ bytes: [UInt8], _ version: Int?) {
    documents[path] = Document(
      version: version, bytes: bytes, positions: PositionMap(bytes, encoding: encoding))
  }

  private mutating func update(_ path: String) {
    guard let root = projectRoot(of: path), let document = documents[path] else { return }
    let openFiles = openFiles
    projects[root]?.change(path, to: document.bytes, openFiles: openFiles)
    reloadProjects(attaching: path)
  }

  /// Reads the projects again that attach the database to which a file belongs.
  private mutating func reloadProjects(attaching path: String) {
    let openFiles = openFiles
    for root in Array(projects.keys) where projects[root]?.attaches(path) == true {
      projects[root]?.reload(openFiles: openFiles)
    }
  }

  // MARK: Analysis

  /// Analyzes a part of a project. Open documents come first.
  ///
  /// - Returns: Whether there is more to do.
  public mutating func step() -> Bool {
    if let (root, path) = unanalyzedDocument {
      projects[root]?.analyze(path)
      return true
    }
    for root in projects.keys.sorted() {
      guard projects[root]?.isFinished == false else { continue }
      _ = projects[root]?.step()
      return true
    }
    return false
  }

  private var unanalyzedDocument: (root: String, path: String)? {
    for path in documents.keys.sorted() {
      if let root = projectRoot(of: path), let project = projects[root], !project.isAnalyzed(path) {
        return (root, path)
      }
    }
    return nil
  }

  /// Indicates whether all open documents are analyzed, if not the projects as a whole.
  public var areDocumentsAnalyzed: Bool { unanalyzedDocument == nil }

  /// Analyzes everything.
  public mutating func finish() { while step() {} }

  /// Indicates whether everything is analyzed.
  public var isFinished: Bool { projects.values.allSatisfy(\.isFinished) }

  /// The part of all files that is analyzed.
  public var analyzedPercentage: Int {
    let files = projects.values.flatMap { project in
      project.input.folder.queries.indices.map {
        project.isFinished || project.compilation.isAnalyzed($0)
      }
    }
    return files.isEmpty ? 0 : files.count { $0 } * 100 / files.count
  }

  /// Calls a function with the project that contains a file, in which the file is analyzed.
  public mutating func withProject<Result>(
    of path: String, _ body: (inout LanguageProject) -> Result
  ) -> Result? {
    guard let root = projectRoot(of: path), projects[root]?.kind(of: path) != nil else {
      return nil
    }
    return withProject(at: root) { project in
      project.analyze(path)
      return body(&project)
    }
  }

  /// Calls a function with the project of a root.
  public mutating func withProject<Result>(
    at root: String, _ body: (inout LanguageProject) -> Result
  ) -> Result? {
    guard var project = projects.removeValue(forKey: root) else { return nil }
    defer { projects[root] = project }
    return body(&project)
  }

  // MARK: Results

  /// The paths of all files of all projects, and of the documents.
  public var paths: [String] {
    Set(projects.values.flatMap(\.paths) + documents.keys).sorted()
  }

  /// Returns the diagnostics of a file that were found so far.
  public func diagnostics(of path: String) -> [Diagnostic] {
    projectRoot(of: path).flatMap { projects[$0]?.diagnostics(of: path) } ?? []
  }

  /// Returns the map of the positions in a file.
  public func positions(of path: String) -> PositionMap? {
    guard let root = projectRoot(of: path), let file = projects[root]?.file(path) else {
      return documents[path]?.positions
    }
    return PositionMap(file.source.bytes, encoding: encoding)
  }
}
