/// Why a command was not done, in one line for whoever gave it.
enum NoteError: Error, Hashable {
  case noSuchNote(Int)
  case deletedNote(Int)
  case notDeleted(Int)
  case emptyTitle
  case nothingToChange
  case invalidTag(String)
  case unknownFormat(String)
  case fileExists(String)
  /// A file was read, and holds no notes.
  case noNotes(path: String, reason: String)
}

extension NoteError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noSuchNote(let id): "there is no note \(id)"
    case .deletedNote(let id): "note \(id) is deleted; `notes undelete \(id)` brings it back"
    case .notDeleted(let id): "note \(id) is not deleted"
    case .emptyTitle: "a note has a title"
    case .nothingToChange: "nothing is to be changed: give a title, a body, or text to append"
    case .invalidTag(let text): "\"\(text)\" is no tag: it is a word of letters, digits, - and _"
    case .unknownFormat(let path):
      "\(path): the name ends in none of \(NoteFile.extensions.joined(separator: ", "))"
    case .fileExists(let path): "\(path): there is a file already; --replace takes its place"
    case .noNotes(let path, let reason): "\(path): \(reason)"
    }
  }
}
