import Foundation

/// Reads the JSON files of `iso-codes`.
struct ISOReader {
  let folders: DataFolders

  /// The records of one source.
  ///
  /// - Throws: ``AtlasError`` when the file is missing, or is not what it should be.
  func records<Record: Decodable>(
    _ type: Record.Type = Record.self, of source: DataSource
  ) throws(AtlasError) -> [Record] {
    let data = try folders.bytes(of: source)
    do {
      let file = try JSONDecoder().decode([String: [Record]].self, from: data)
      guard let records = file[source.key] else {
        throw AtlasError.unreadable(
          path: folders.path(of: source), line: nil, reason: "there is no \"\(source.key)\" in it")
      }
      return records
    } catch let error as AtlasError {
      throw error
    } catch {
      throw .unreadable(
        path: folders.path(of: source), line: nil, reason: Self.reason(for: error))
    }
  }

  /// The decoder's complaint in one line, with the record that it is about.
  private static func reason(for error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath)) has no \"\(key.stringValue)\""
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return "\(place(context.codingPath)) is of another kind than expected"
    case .dataCorrupted(let context):
      return "not JSON: \(context.debugDescription)"
    @unknown default:
      return "\(error)"
    }
  }

  /// The place below the file's one key.
  private static func place(_ path: [any CodingKey]) -> String {
    path.dropFirst().map { $0.intValue.map { "record \($0 + 1)" } ?? $0.stringValue }.joined(
      separator: ", ")
  }
}
