internal import Foundation
internal import SQLSyntax

/// What is wrong with a file or a folder as a whole.
struct FileFailure: Error, Hashable {
  var identity: Diagnostic.Identity
  var path: String
  var message: String
  /// Whether the rest can be used all the same.
  var isWarning = false

  init(
    _ identity: Diagnostic.Identity, path: String, message: String, isWarning: Bool = false
  ) {
    self.identity = identity
    self.path = path
    self.message = message
    self.isWarning = isWarning
  }
}

extension Diagnostic.Identity {
  static let missingFolder = Self(rawValue: "missing-folder")
  static let unreadableFolder = Self(rawValue: "unreadable-folder")
  static let missingFile = Self(rawValue: "missing-file")
  static let unreadableFile = Self(rawValue: "unreadable-file")
  static let unwritableFile = Self(rawValue: "unwritable-file")
  static let misplacedMigration = Self(rawValue: "misplaced-migration")
  static let duplicateMigration = Self(rawValue: "duplicate-migration")
  /// Two files of queries would make one file of Swift.
  static let collidingFiles = Self(rawValue: "colliding-files")
}

/// A failure of the file system, in a few words.
func reason(_ error: any Error) -> String {
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  if cause.domain == NSPOSIXErrorDomain, let code = POSIXErrorCode(rawValue: Int32(cause.code)) {
    switch code {
    case .EACCES, .EPERM: return "permission denied"
    case .ENOENT: return "no such file or folder"
    case .EISDIR: return "it is a folder"
    case .ENOTDIR: return "a part of the path is no folder"
    case .ENOSPC: return "the disk is full"
    case .EROFS: return "the disk is read-only"
    default: break
    }
  }
  switch (error as any Error as? CocoaError)?.code {
  case .fileNoSuchFile, .fileReadNoSuchFile: return "no such file or folder"
  case .fileReadNoPermission, .fileWriteNoPermission: return "permission denied"
  default: return error.localizedDescription
  }
}
