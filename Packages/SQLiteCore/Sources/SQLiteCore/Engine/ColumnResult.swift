internal import CSQLite

extension VirtualTable {
  /// Receives the value of a column of a virtual table. It is valid only during the call.
  ///
  /// ```swift
  /// func column(_ column: ColumnIndex, _ result: borrowing VirtualTable.ColumnResult) {
  ///   result.set(numbers[row])
  /// }
  /// ```
  ///
  /// The last value that is set is the column's value; without one, it is NULL.
  @safe public struct ColumnResult: ~Copyable {
    private let context: OpaquePointer

    init(context: OpaquePointer) { unsafe self.context = context }

    /// Sets NULL.
    public func setNull() { unsafe sqlite3_result_null(context) }

    public func set(_ value: Int64) { unsafe sqlite3_result_int64(context, value) }

    /// Sets a real number. NaN becomes NULL.
    public func set(_ value: Double) { unsafe sqlite3_result_double(context, value) }

    /// Sets a text, which SQLite copies.
    ///
    /// - Parameter text: The text in UTF-8.
    public func set(text: Span<UInt8>) {
      unsafe text.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return unsafe holt_result_text(context, "", 0) }
        unsafe holt_result_text(
          context, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count))
      }
    }

    public func set(_ value: SQLiteValue) { unsafe setResult(value, to: context) }
  }
}
