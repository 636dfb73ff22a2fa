import Foundation
import Primitives
import Providers
import SQLiteCore

/// Decides whether SQL reads a CSV file in place, or whether the file is loaded.
///
/// A file is read in place if the result is the same and the file is read once:
///
/// - It is the only file, a regular, uncompressed CSV file, and is not cached.
/// - Each statement is a `SELECT` that reads the file's table and no other, not the schema.
/// - The plan of a statement contains the table at most once, in the outermost loop, and not in a
///   correlated subquery or a recursive one. In an inner loop, the file would be read for each row
///   of the outer one; a loaded table has an index there.
/// - ``/Providers/CSVFileTable`` can read the file.
///
/// In all other cases, and after any error, the file is loaded, so that errors are the same.
///
/// A single statement that reads the table before it returns a row checks the rows itself, so that
/// the file may be read only once. If they contradict the first rows, the statement is run again.
struct InPlaceReading {
  private let table: CSVFileTable
  private let source: SourceArgument

  /// Returns a workspace whose file is read in place; `nil` if the file must be loaded.
  ///
  /// - Parameter defersChecks: Whether the statement may check the rows.
  static func workspace(
    for sql: String, _ sources: [SourceArgument], _ options: ReadingOptions,
    defersChecks: Bool = false
  ) -> Workspace? {
    guard let source = sources.first, sources.count == 1, !options.usesCache,
      OpenedFile.isPlainCSV(source, options.format)
    else { return nil }
    var csv = options.csv
    csv.tableName = source.name
    guard let table = try? CSVFileTable(path: source.path, options: csv),
      let use = try? Self(table: table, source: source).use(by: sql),
      let analyzed = try? ActivityIndicator.showing(
        "reading \(source.path)",
        {
          try table.analyzed(
            reading: use.columns, defersChecks: defersChecks && use.isReadFirst)
        })
    else { return nil }
    return try? Workspace(analyzed, source)
  }

  /// Thrown if a statement can't read the file in place.
  private struct NotInPlace: Error {}

  /// The columns that statements read, and whether there is only one statement, which reads the
  /// table before it returns a row.
  private struct Use {
    var columns: Set<String>
    var isReadFirst: Bool
  }

  private func use(by sql: String) throws -> Use {
    // The table is empty, and its columns have no types yet.
    let connection = try Workspace(table, source).connection
    let reads = Mutex<Set<String>>([])
    let isPermitted = Mutex(true)
    try connection.hooks.authorize { [table] request in
      switch request.action {
      // SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_RECURSIVE
      case 21, 31, 33: break
      // SQLITE_READ
      case 20 where SQLName.isSame(request.first ?? "", table.name):
        if let column = request.second, !column.isEmpty { reads.withLock { _ = $0.insert(column) } }
      case 20 where request.schema == nil && !Self.isSystemTable(request.first ?? ""): break
      default: isPermitted.withLock { $0 = false }
      }
      return .allow
    }
    var count = 0
    var isReadFirst = false
    try connection.forEachStatement(in: SQL(unsafe: sql)) { statement in
      count += 1
      let plan = try connection.queryPlan(for: SQL(unsafe: statement.sql))
      isReadFirst = count == 1 && Self.isReadFirst(in: plan.steps)
      guard isPermitted.withLock({ $0 }), statement.isReadOnly, statement.columnCount > 0,
        !SQLTokens(statement.sql).is(0, "EXPLAIN"),
        Self.readsOnce(plan)
      else { throw NotInPlace() }
    }
    guard count > 0 else { throw NotInPlace() }
    return Use(columns: reads.withLock { $0 }, isReadFirst: isReadFirst)
  }

  /// Returns whether a table describes the schema. Other tables whose schema is not reported are
  /// subqueries.
  private static func isSystemTable(_ name: String) -> Bool {
    let name = SQLName.folded(name)
    return name.hasPrefix("sqlite_") || name.hasPrefix("pragma_")
  }

  // MARK: Plans

  /// Returns whether a plan contains the virtual table at most once, in the outermost loop.
  private static func readsOnce(_ plan: QueryPlan) -> Bool {
    let count = plan.details.count(where: isVirtualTable)
    return count == 0 || count == 1 && isOutermost(in: plan.steps)
  }

  private static func isOutermost(in steps: [QueryPlan.Step]) -> Bool {
    // The loops of a join are listed from the outermost to the innermost.
    let loops = steps.filter { $0.detail.hasPrefix("SCAN ") || $0.detail.hasPrefix("SEARCH ") }
    guard let index = loops.firstIndex(where: { isVirtualTable($0.detail) }) else {
      return steps.allSatisfy { step in
        let isRepeated = step.detail.hasPrefix("CORRELATED") || step.detail.hasPrefix("RECURSIVE")
        return isOutermost(in: step.children) && !(isRepeated && containsTable(step))
      }
    }
    return index == 0
  }

  /// Returns whether each row is returned after the virtual table's query has begun: the only loop is
  /// that over the table, or over a subquery for which the same is true.
  private static func isReadFirst(in steps: [QueryPlan.Step]) -> Bool {
    let loops = steps.filter { $0.detail.hasPrefix("SCAN ") || $0.detail.hasPrefix("SEARCH ") }
    guard loops.count == 1, !steps.contains(where: { $0.detail.hasPrefix("COMPOUND ") }) else {
      return false
    }
    if isVirtualTable(loops[0].detail) { return true }
    let subqueries = steps.filter {
      $0.detail.hasPrefix("CO-ROUTINE ") || $0.detail.hasPrefix("MATERIALIZE ")
    }
    return subqueries.count == 1 && isReadFirst(in: subqueries[0].children)
  }

  private static func containsTable(_ step: QueryPlan.Step) -> Bool {
    isVirtualTable(step.detail) || step.children.contains(where: containsTable)
  }

  private static func isVirtualTable(_ detail: String) -> Bool {
    detail.contains(" VIRTUAL TABLE INDEX ")
  }
}

extension OpenedFile {
  /// Returns whether a source is a regular file in CSV that is not compressed.
  fileprivate static func isPlainCSV(_ source: SourceArgument, _ format: FileFormat?) -> Bool {
    guard !source.isStandardInput, FilePattern(source.path) == nil,
      let attributes = try? attributes(of: source.path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let bytes = try? firstBytes(of: source.path)
    else { return false }
    let known = format ?? (try? self.format(of: source.path))
    return known == .csv && Compression(beginning: bytes) == nil
  }
}

extension Configuration {
  /// The configuration for a database with a file's virtual table.
  func registering(_ table: CSVFileTable) -> Configuration {
    var configuration = self
    let prepare = prepare
    configuration.prepare = { connection in
      try prepare?(connection)
      try table.register(on: connection)
    }
    return configuration
  }
}
