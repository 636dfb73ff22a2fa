/// The error of a command, with a one-line description for the user.
enum NoteError: Error, Hashable {
  case noSuchNote(Int)
  case deletedNote(Int)
  case notDeleted(Int)
  case emptyTitle
  case nothingToChange
  case invalidTag(String)
  case unknownFormat(String)
  case fileExists(String)
  /// The file does not contain notes.
  case noNotes(path: String, reason: String)
}

extension NoteError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noSuchNote(let id): "no such note: \(id)"
    case .deletedNote(let id): "note \(id) is deleted; run `notes undelete \(id)` to restore it"
    case .notDeleted(let id): "note \(id) is not deleted"
    case .emptyTitle: "the title is empty"
    case .nothingToChange: "no change given: pass a title, a body, or text to append"
    case .invalidTag(let text): "\"\(text)\" is not a valid tag: use letters, digits, - and _"
    case .unknownFormat(let path):
      "\(path): unknown extension; use one of \(NoteFile.extensions.joined(separator: ", "))"
    case .fileExists(let path): "\(path): the file already exists; pass --replace to replace it"
    case .noNotes(let path, let reason): "\(path): \(reason)"
    }
  }
}
