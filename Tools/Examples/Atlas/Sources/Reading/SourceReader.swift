import Providers
import SQLiteCore

/// Reads the JSON files of `iso-codes` with a provider, which presents a list of records as a table.
struct SourceReader {
  let folders: DataFolders

  /// Returns the records of one source.
  ///
  /// - Throws: ``AtlasError`` if the file is missing or invalid.
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
          path: path, line: nil, reason: "the file has no key \"\(source.table)\"")
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

  /// Returns whether the file contains an empty list, which the provider presents as a column, not as a
  /// table.
  private func isEmptyList(_ source: DataSource, _ provider: any DataProvider) throws -> Bool {
    guard let table = try provider.tableNames().first else { return false }
    return try provider.getTableSchema(forTableName: table).columns.contains {
      $0.name == source.table
    }
  }

  /// Describes the record that lacks a required field; `nil` if the error has another cause.
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
      return "the field \"\(column)\" is missing in all records, or has an unexpected type"
    }
    return "record \(number) has no \"\(column)\""
  }
}
