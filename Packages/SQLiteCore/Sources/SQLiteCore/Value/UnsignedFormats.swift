/// Storage of integers past `Int64.max`, which SQLite has no number for: a plain `UInt64` that large
/// is ``SQLiteError/Code/valueOutOfRange`` as it is bound.
extension UInt64: ColumnValue {}
extension UInt: ColumnValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: ColumnValue {}

extension ColumnFormats {
  /// The format of ``BitPattern``.
  public enum UnsignedBitPattern: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> UInt64 {
      UInt64(bitPattern: try row.integer(at: index))
    }

    public static func sqliteValue(of value: UInt64) -> SQLiteValue {
      .integer(Int64(bitPattern: value))
    }
  }
}

extension ColumnFormats {
  /// The format of ``BigEndianBlob``.
  public enum BigEndian<Value: FixedWidthInteger & UnsignedInteger>: ColumnFormat {
    public static func read(
      from row: borrowing Row, at index: ColumnIndex
    ) throws(SQLiteError) -> Value {
      let bytes = try row.blob(at: index)
      guard bytes.count * 8 == Value.bitWidth else {
        throw row.unreadable(
          "the blob has \(bytes.count) bytes, not \(Value.bitWidth / 8)", code: .valueOutOfRange,
          at: index)
      }
      return bytes.reduce(0) { $0 << 8 | Value($1) }
    }

    public static func sqliteValue(of value: Value) -> SQLiteValue {
      let shifts = stride(from: Value.bitWidth - 8, through: 0, by: -8)
      return .blob(shifts.map { UInt8(truncatingIfNeeded: value >> $0) })
    }
  }
}

/// A `UInt64`, or an optional one, that is stored as the INTEGER of the same 64 bits.
///
/// Every value comes back, and SQL finds equal ones. To SQL the values past `Int64.max` are negative:
/// it sorts them before all others, and must not calculate with them. For identifiers and hashes.
public typealias BitPattern<Value: ColumnValue> = Stored<ColumnFormats.UnsignedBitPattern, Value>
where Value.Present == UInt64

/// An unsigned integer, or an optional one, that is stored as a BLOB of its bytes, the highest first.
///
/// Every value comes back, and SQL sorts and compares them as the numbers that they are; it can't
/// calculate with them. A `UInt64` takes 8 bytes, a `UInt128` 16.
public typealias BigEndianBlob<Value: ColumnValue> = Stored<
  ColumnFormats.BigEndian<Value.Present>, Value
>
where Value.Present: FixedWidthInteger & UnsignedInteger
