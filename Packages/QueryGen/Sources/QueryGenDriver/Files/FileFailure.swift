internal import Foundation
public import SQLSyntax

/// A problem with a whole file or folder.
public struct FileFailure: Error, Hashable {
  public var identity: Diagnostic.Identity
  public var path: String
  public var message: String
  /// Indicates whether the remaining files can still be used.
  public var isWarning = false

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
  static let unreadableFile = Self(rawValue: "unreadable-file")
  static let unwritableFile = Self(rawValue: "unwritable-file")
  static let misplacedMigration = Self(rawValue: "misplaced-migration")
  static let duplicateMigration = Self(rawValue: "duplicate-migration")
  /// Two query files would generate the same Swift file.
  static let collidingFiles = Self(rawValue: "colliding-files")
}

/// Returns a short description of a file system error.
func reason(_ error: any Error) -> String {
  let error = error as NSError
  let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
  if cause.domain == NSPOSIXErrorDomain, let code = POSIXErrorCode(rawValue: Int32(cause.code)) {
    switch code {
    case .EACCES, .EPERM: return "permission denied"
    case .ENOENT: return "no such file or folder"
    case .EISDIR: return "the path is a folder"
    case .ENOTDIR: return "a component of the path is not a folder"
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
