extension Connection {
  /// Told of the rows that a table's rebuild copies, while a migration runs.
  var copyReporter: ((SchemaDiff.CopyProgress) throws -> Void)? {
    get { kept(CopyReporter.self)?.report }
    set { keep(newValue.map(CopyReporter.init)) }
  }
}

private struct CopyReporter {
  let report: (SchemaDiff.CopyProgress) throws -> Void
}
