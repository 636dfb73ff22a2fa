internal import Foundation

/// A copy of the working copy as a separate repository with a version, for apps that require it by URL.
enum ReleasedCopy {
  /// Calls a closure with a folder outside of the repository and a copy in it, and removes both afterwards.
  ///
  /// - Parameters:
  ///   - name: The purpose of the folder, a part of its name.
  ///   - failure: The action that failed, for the message of an error that is not a ``CheckError``.
  static func with<Result>(
    _ repository: Repository, for name: String, or failure: String,
    _ body: (_ folder: URL, _ library: URL) throws -> Result
  ) throws(CheckError) -> Result {
    try ScratchFolder.with(for: name, or: failure) { folder in
      let library = folder.appending(path: "holt", directoryHint: .isDirectory)
      try make(of: repository, at: library)
      return try body(folder, library)
    }
  }

  /// Commits and tags every file that git tracks or would add.
  private static func make(of repository: Repository, at library: URL) throws {
    let listed = try Command.output(
      ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      in: repository.root)
    for path in listed.split(separator: "\0").map(String.init) where repository.exists(path) {
      let target = library.appending(path: path)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: repository.url(path), to: target)
    }
    let git = [
      "git", "-c", "user.name=holt", "-c", "user.email=holt@localhost",
      "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false",
    ]
    for arguments in [
      ["init", "--quiet"], ["add", "--all", "--force"],
      ["commit", "--quiet", "--no-verify", "--message", "consumer"], ["tag", "1.0.0"],
    ] {
      _ = try Command.output(git + arguments, in: library)
    }
  }
}
