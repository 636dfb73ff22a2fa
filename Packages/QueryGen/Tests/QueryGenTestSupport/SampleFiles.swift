/// The files in a sample of the documentation.
///
/// A comment with a file's path, such as `-- Queries/Books.sql`, precedes its contents.
public struct SampleFiles: Sendable {
  public struct File: Sendable {
    public var path: String
    /// The line with the path.
    public var header: String
    public var text: String

    /// The part of the path before the first slash; empty for a file of the project's own folder.
    fileprivate var folder: Substring { path.contains("/") ? path.prefix { $0 != "/" } : "" }
  }

  public private(set) var files: [File] = []

  /// Reads a sample. Lines before the first path are not a part of any file, and are ignored.
  public init(_ sample: String) {
    for line in sample.split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: /(?:--|#) ((?:[\w.-]+\/)*[\w.-]+\.(?:sql|yaml|lock))/) {
        files.append(File(path: String(match.1), header: String(line), text: ""))
      } else if !files.isEmpty {
        files[files.count - 1].text += line + "\n"
      }
    }
  }

  /// Returns these files, of which the others replace all files in the same folders.
  public func replacing(_ others: SampleFiles) -> SampleFiles {
    var result = self
    let folders = Set(others.files.map(\.folder))
    result.files.removeAll { folders.contains($0.folder) }
    result.files += others.files
    return result
  }
}

extension Workspace {
  /// Creates a project with the files of a sample.
  public convenience init(_ sample: SampleFiles) throws {
    try self.init(
      Dictionary(sample.files.map { ($0.path, $0.text) }, uniquingKeysWith: { _, last in last }))
  }
}
