import Foundation
import Providers
import SQLiteCore

/// Sources with a fault.
struct FaultyStore: SourceSession.Store {
  enum Kind: String {
    case opensAnything = "opens existing files as empty"
    case makesWhatIsRead = "creates files when reading"
    case makesNothingAtOnce = "does not create a file immediately"
    case opensInMemory = "opens files in memory"
    case persistsNothing = "persists nothing"
    case persistsAlways = "persists without changes"
    case hasNothingToPersist = "reports no unsaved changes"
    case overwritesOthers = "overwrites changes by others"
    case overwritesNoOthers = "does not overwrite changes by others on request"
    case savesNothing = "saves nothing"
    case savesAndStays = "continues with the old file after saving"
    case persistsBeforeSaving = "writes the old file before saving"
    case deletesNothing = "deletes nothing"
    case deletesMissing = "finds missing files"
    case leavesFiles = "leaves files next to the source"
    case closesNothing = "closes nothing"
    case forgetsPermissions = "loses permissions"
    case replacesLinks = "replaces links"
  }

  let base: any SourceSession.Store
  let kind: Kind

  func open(_ request: SourceSession.Request) throws -> any SourceSession.OpenedSource {
    var request = request
    switch kind {
    case .makesWhatIsRead: request.isReadOnly = false
    case .makesNothingAtOnce: request.mustCreate = false
    case .opensInMemory: request.path = nil
    default: break
    }
    do {
      return FaultySource(try base.open(request), self)
    } catch {
      guard kind == .opensAnything else { throw error }
      return FaultySource(try base.open(SourceSession.Request(path: nil)), self)
    }
  }

  func delete(atPath path: String) throws {
    switch kind {
    case .deletesNothing: break
    case .deletesMissing: try? base.delete(atPath: path)
    default: try base.delete(atPath: path)
    }
  }
}

private final class FaultySource: SourceSession.OpenedSource {
  let base: any SourceSession.OpenedSource
  let store: FaultyStore

  init(_ base: any SourceSession.OpenedSource, _ store: FaultyStore) {
    self.base = base
    self.store = store
  }

  private var kind: FaultyStore.Kind { store.kind }
  var database: Database { base.database }
  var path: String? { base.path }

  var hasUnsavedChanges: Bool {
    switch kind {
    case .hasNothingToPersist: false
    case .persistsAlways: true
    default: base.hasUnsavedChanges
    }
  }

  var writesImmediately: Bool { base.writesImmediately }

  func persist(_ contents: Connection, overwritingChanges: Bool) throws {
    switch kind {
    case .persistsNothing: return
    case .overwritesOthers: return try base.persist(contents, overwritingChanges: true)
    case .overwritesNoOthers: return try base.persist(contents, overwritingChanges: false)
    case .replacesLinks:
      if let path, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let file = URL(fileURLWithPath: target, relativeTo: folder).path
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: file, toPath: path)
        return try base.persist(contents, overwritingChanges: true)
      }
    default: break
    }
    try base.persist(contents, overwritingChanges: overwritingChanges)
    guard let path else { return }
    switch kind {
    case .persistsAlways:
      try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: path))
    case .leavesFiles: try Data().write(to: URL(fileURLWithPath: path + "~"))
    case .forgetsPermissions:
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    default: break
    }
  }

  func saved(_ contents: Connection, toPath path: String) throws -> any SourceSession.OpenedSource {
    switch kind {
    case .savesNothing: return self
    case .savesAndStays:
      let copy = try store.base.open(SourceSession.Request(path: path))
      try copy.database.writeWithoutTransaction { connection in
        try contents.backup(to: connection)
        try copy.persist(connection, overwritingChanges: true)
      }
      copy.close()
      return self
    case .persistsBeforeSaving: try base.persist(contents, overwritingChanges: true)
    default: break
    }
    let saved = try base.saved(contents, toPath: path)
    return saved === base ? self : FaultySource(saved, store)
  }

  func close() {
    if kind == .leavesFiles, let path { try? Data().write(to: URL(fileURLWithPath: path + "-log")) }
    if kind != .closesNothing { base.close() }
  }
}

/// A provider that reads and writes incorrectly.
final class FaultyProvider: DataProvider {
  enum Kind: String {
    case writesWithoutTransactions = "writes without transactions"
    case writesTwice = "writes everything twice"
    case readsByWriting = "reads with a writable connection"
    case readsTwice = "reads everything twice"
    case isNotShared = "has no shared instance"
    case forgetsTransactions = "forgets that a transaction is open"
    case readsWhatIsClosed = "reads closed sources"
  }

  static var shared: FaultyProvider { FaultyProvider() }
  let session: SourceSession
  let kind: Kind
  private let empty = try? Database.inMemory()

  convenience init() {
    self.init(.isNotShared, store: SourceSession.SQLiteStore(), directories: .standard)
  }

  init(_ kind: Kind, store: some SourceSession.Store, directories: SourceSession.Directories) {
    self.kind = kind
    session = SourceSession(store: store, directories: directories)
  }

  func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    switch kind {
    case .readsByWriting: return try database().write(body)
    case .readsTwice: _ = try database().read(body)
    case .readsWhatIsClosed: if !isOpen, let empty { return try empty.read(body) }
    default: break
    }
    return try database().read(body)
  }

  @discardableResult
  func write<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    switch kind {
    case .writesWithoutTransactions: return try database().writeWithoutTransaction(body)
    case .writesTwice:
      return try database().write { connection in
        _ = try body(connection)
        return try body(connection)
      }
    case .forgetsTransactions:
      // The transaction ends with its first operation.
      while (try? endTransaction()) != nil {}
    default: break
    }
    return try database().write(body)
  }
}
