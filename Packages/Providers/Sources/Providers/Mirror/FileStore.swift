internal import SQLiteCore

extension SourceSession {
  /// Where the tables of a file are held while it is open.
  public enum StagingPlace: Hashable, Sendable {
    /// In memory.
    case memory
    /// In a temporary file that SQLite removes, as far as they are too large for its cache: for files that are larger
    /// than memory.
    case temporaryFile
    /// In a file of its own at a path, where nothing is yet, which other connections may attach: what they commit there is noticed,
    /// and persisted. It must stay in its place while the source is open, and is left there then.
    case file(String)
  }
}

extension SourceSession {
  /// Sources that are files of a format, each read into a private database when it is opened, and written as a whole.
  public struct FileStore<Format: TableFormat>: Store {
    public let format: Format
    public let place: StagingPlace

    public init(format: Format, place: StagingPlace = .memory) {
      self.format = format
      self.place = place
    }

    public func open(_ request: Request) throws -> any OpenedSource {
      guard let path = request.path else { return try MirroredSource(new: self, path: nil) }
      if !request.isReadOnly, try FileStamp(path: path) == nil {
        let source = try MirroredSource(new: self, path: path)
        if request.isToExist {
          try source.database.read { try source.persist($0, overwritingChanges: false) }
        }
        return source
      }
      return try MirroredSource(self, FileReader(path: path))
    }

    public func delete(atPath path: String) throws { try SourceFiles.remove(path) }
  }
}
