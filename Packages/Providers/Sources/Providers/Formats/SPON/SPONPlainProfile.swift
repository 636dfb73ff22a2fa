internal import SPON

/// The properties of the values of each key in the rows of a table.
struct SPONPlainProfile: Sendable {
  /// The keys, in the order of their first occurrence.
  private(set) var keys: [String] = []
  /// The type name of the objects, if they all have the same one.
  private(set) var typeName: String?
  private var typeNameBytes: [UInt8] = []
  /// A Boolean value that indicates whether two rows have the same value of the key column.
  var hasDuplicateIDs = false
  private var columns: [Column] = []
  private(set) var rowCount = 0

  private struct Column {
    var kinds: Kinds = []
    /// The number of values.
    var count = 0
    /// A Boolean value that indicates whether a row had no value when the file was read before.
    var hadNull = false
  }

  struct Kinds: OptionSet {
    let rawValue: UInt16
    static let boolean = Kinds(rawValue: 1)
    static let integer = Kinds(rawValue: 2)
    static let float = Kinds(rawValue: 4)
    static let double = Kinds(rawValue: 8)
    static let text = Kinds(rawValue: 16)
    static let opaque = Kinds(rawValue: 32)
    static let data = Kinds(rawValue: 64)
    static let instant = Kinds(rawValue: 128)
    static let decimal = Kinds(rawValue: 256)
    /// A `REAL` column does not preserve the sign of zero.
    static let negativeZero = Kinds(rawValue: 512)
    static let other = Kinds(rawValue: 1_024)
    /// An integer beyond the range of `Int64`.
    static let unsigned = Kinds(rawValue: 2_048)
  }

  init() {}

  /// Creates the profile for reading the same rows again.
  init(continuing known: SPONPlainProfile) {
    self = known
    rowCount = 0
    for index in columns.indices {
      columns[index].hadNull = known.hasNull(index)
      columns[index].count = 0
    }
  }

  /// Adds the last row of a buffer, and the type name of its object.
  mutating func addLastRow(of rows: borrowing SPONRowBuffer) {
    rowCount += 1
    while columns.count < rows.keys.count {
      keys.append(rows.keys[columns.count])
      columns.append(Column())
    }
    for cell in rows.cells(ofRow: rows.count - 1) where cell.kind != .null {
      columns[cell.key].count += 1
      columns[cell.key].kinds.formUnion(Self.kind(of: cell, in: rows))
    }
  }

  mutating func add(typeName name: Span<UInt8>) {
    if rowCount == 0 {
      typeNameBytes = name.array(0..<name.count)
      typeName = String(decoding: typeNameBytes, as: UTF8.self)
      return
    }
    var isSame = name.count == typeNameBytes.count
    var index = 0
    while isSame, index < name.count {
      isSame = name[index] == typeNameBytes[index]
      index += 1
    }
    if !isSame, String(decoding: name.array(0..<name.count), as: UTF8.self) != typeName {
      typeName = ""
      typeNameBytes = []
    }
  }

  private static func kind(
    of cell: SPONRowBuffer.Cell, in rows: borrowing SPONRowBuffer
  ) -> Kinds {
    switch cell.kind {
    case .null: []
    case .boolean: .boolean
    case .integer: .integer
    case .text: .text
    case .opaque: .opaque
    // SQLite can't represent this number.
    case .float:
      rows.float(of: cell).isNaN || rows.float(of: cell).isNegativeZero ? .other : .float
    case .double:
      rows.double(of: cell).isNaN
        ? .other : rows.double(of: cell).isNegativeZero ? .negativeZero : .double
    case .other:
      switch rows.value(of: cell) {
      case .unsigned: .unsigned
      case .bytes: .data
      case .instant: .instant
      case .decimal: .decimal
      default: .other
      }
    }
  }

  /// Returns whether a row has no value for a key.
  func hasNull(_ key: Int) -> Bool { columns[key].hadNull || columns[key].count < rowCount }

  /// Returns the storage of a column: the type of its values if they all have one; else their
  /// storage classes if these identify the types; else SPON strings.
  func form(of key: Int) -> SPONForm {
    switch columns[key].kinds {
    case .boolean: .boolean
    case .integer: .integer
    case .float: .float
    case .double: .double
    case []: .text
    case .text: .text
    case .opaque: .opaque
    case .data: .data
    case .instant: .instant
    case .decimal: .decimal
    case let kinds where kinds.isSubset(of: [.integer, .double, .negativeZero, .text, .data]):
      .mixed
    case let kinds where kinds.isSubset(of: [.integer, .float, .double]): .mixed
    case let kinds
    where kinds.isSubset(of: [
      .integer, .float, .double, .negativeZero, .decimal, .unsigned,
    ]):
      .number
    default: .any
    }
  }
}

extension BinaryFloatingPoint {
  fileprivate var isNegativeZero: Bool { isZero && sign == .minus }
}
