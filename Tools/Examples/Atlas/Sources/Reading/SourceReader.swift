import Providers
import SQLiteCore

/// Reads the JSON files of `iso-codes` by a provider, to which a list of records is a table, and each record a row.
struct SourceReader {
  let folders: DataFolders

  /// The records of one source.
  ///
  /// - Throws: ``AtlasError`` when the file is missing, or is not what it should be.
  func records<Record: DataTable>(
    _ type: Record.Type = Record.self, of source: DataSource
  ) throws(AtlasError) -> [Record] {
    let path = folders.path(of: source)
    let provider = JSONProvider()
    do {
      try provider.openSource(atPath: path, readOnly: true)
      defer { try? provider.closeSource() }
      guard try provider.tableExists(source.table) else {
        if try isEmptyList(source, provider) { return [] }
        throw AtlasError.unreadable(
          path: path, line: nil, reason: "there is no \"\(source.table)\" in it")
      }
      do {
        return try provider.getRows(
          ofType: type, matchingSQL: "SELECT * FROM \(identifier: source.table) ORDER BY rowid")
      } catch {
        guard let reason = Self.reason(for: error, source, provider) else { throw error }
        throw AtlasError.unreadable(path: path, line: nil, reason: reason)
      }
    } catch let error as AtlasError {
      throw error
    } catch let error as ProviderError where error.code == .notFound {
      throw .missingData(path: path, package: source.package)
    } catch let error as ProviderError {
      throw .unreadable(path: path, line: error.position?.line, reason: error.message)
    } catch {
      throw .unreadable(path: path, line: nil, reason: "\(error)")
    }
  }

  /// Whether the file says that there are no records: of a list of nothing it can't be told that it would be a table, so that it is a
  /// column.
  private func isEmptyList(_ source: DataSource, _ provider: any DataProvider) throws -> Bool {
    guard let table = try provider.tableNames().first else { return false }
    return try provider.getTableSchema(forTableName: table).columns.contains {
      $0.name == source.table
    }
  }

  /// Which record lacks what it has to have; `nil` where that is not what is wrong.
  private static func reason(
    for error: any Error, _ source: DataSource, _ provider: any DataProvider
  ) -> String? {
    let column: String? =
      switch error {
      case let error as ProviderError: error.column
      case let error as SQLiteError: error.column?.name
      case DecodingError.keyNotFound(let key, _): key.stringValue
      case DecodingError.valueNotFound(_, let context), DecodingError.typeMismatch(_, let context):
        context.codingPath.last?.stringValue
      default: nil
      }
    guard let column else { return nil }
    let first = try? provider.query(
      """
      SELECT min(rowid) AS number FROM \(identifier: source.table)
      WHERE \(identifier: column) IS NULL
      """)
    guard case .integer(let number)? = first?["number"] else {
      return "the records have no \"\(column)\", or it is of another kind than expected"
    }
    return "record \(number) has no \"\(column)\""
  }
}
