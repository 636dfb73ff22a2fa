/// A type of PostgreSQL, identified by its object identifier.
///
/// The identifiers of the types here are the same on all servers. Enumerations, domains, composite types and types of
/// extensions have an identifier for each database.
public struct PostgreSQLType: RawRepresentable, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  init(_ rawValue: UInt32) { self.rawValue = rawValue }

  public static let bool = Self(16)
  public static let bytea = Self(17)
  public static let int8 = Self(20)
  public static let int2 = Self(21)
  public static let int4 = Self(23)
  public static let text = Self(25)
  public static let oid = Self(26)
  public static let json = Self(114)
  public static let xml = Self(142)
  public static let float4 = Self(700)
  public static let float8 = Self(701)
  public static let varchar = Self(1043)
  public static let date = Self(1082)
  public static let time = Self(1083)
  public static let timestamp = Self(1114)
  public static let timestamptz = Self(1184)
  public static let interval = Self(1186)
  public static let timetz = Self(1266)
  public static let numeric = Self(1700)
  /// An anonymous row, such as the result of `ROW(1, 2)`.
  public static let record = Self(2249)
  public static let uuid = Self(2950)
  public static let jsonb = Self(3802)

  /// Indicates whether the type is one of PostgreSQL's own.
  var isBuiltIn: Bool { rawValue < 16_384 }
}

/// The binary format of a type.
@usableFromInline
enum TypeKind: Hashable, Sendable {
  case bool, int2, int4, int8, oid, float4, float8, numeric
  case text, json, jsonb, bytea, uuid
  case date, time, timetz, timestamp, timestamptz, interval
  case array(element: PostgreSQLType)
  case record
  case range(of: PostgreSQLType)
  case multirange(of: PostgreSQLType)
  /// A type whose format this package does not know.
  case other

  /// The format of a built-in type.
  init(builtIn type: PostgreSQLType) {
    switch type.rawValue {
    case 16: self = .bool
    case 17: self = .bytea
    case 20, 5069: self = .int8
    case 21: self = .int2
    case 23: self = .int4
    // Object identifiers and the types that alias them.
    case 24, 26, 28, 2202, 2203, 2204, 2205, 2206, 3734, 3769, 4089, 4096, 4191: self = .oid
    // char, name, text, xml, unknown, bpchar, varchar, cstring, void.
    case 18, 19, 25, 142, 705, 1042, 1043, 2275, 2278: self = .text
    case 114: self = .json
    case 700: self = .float4
    case 701: self = .float8
    case 1082: self = .date
    case 1083: self = .time
    case 1114: self = .timestamp
    case 1184: self = .timestamptz
    case 1186: self = .interval
    case 1266: self = .timetz
    case 1700: self = .numeric
    case 2249: self = .record
    case 2950: self = .uuid
    case 3802: self = .jsonb
    case 3904: self = .range(of: .int4)
    case 3906: self = .range(of: .numeric)
    case 3908: self = .range(of: .timestamp)
    case 3910: self = .range(of: .timestamptz)
    case 3912: self = .range(of: .date)
    case 3926: self = .range(of: .int8)
    case 4451: self = .multirange(of: PostgreSQLType(3904))
    case 4532: self = .multirange(of: PostgreSQLType(3906))
    case 4533: self = .multirange(of: PostgreSQLType(3908))
    case 4534: self = .multirange(of: PostgreSQLType(3910))
    case 4535: self = .multirange(of: PostgreSQLType(3912))
    case 4536: self = .multirange(of: PostgreSQLType(3926))
    default:
      self = Self.elements[type.rawValue].map { .array(element: PostgreSQLType($0)) } ?? .other
    }
  }

  /// The element types of the built-in array types.
  private static let elements: [UInt32: UInt32] = [
    // int2vector and oidvector have the format of arrays.
    22: 21, 30: 26, 143: 142, 199: 114, 1000: 16, 1001: 17, 1002: 18, 1003: 19, 1005: 21, 1007: 23,
    1009: 25,
    1011: 28, 1014: 1042, 1015: 1043, 1016: 20, 1021: 700, 1022: 701, 1028: 26, 1115: 1114,
    1182: 1082,
    1183: 1083, 1185: 1184, 1187: 1186, 1231: 1700, 1270: 1266, 2210: 2205, 2211: 2206, 2287: 2249,
    2951: 2950, 3807: 3802, 3905: 3904, 3907: 3906, 3909: 3908, 3911: 3910, 3913: 3912, 3927: 3926,
    6150: 4451, 6151: 4532, 6152: 4533, 6153: 4534, 6155: 4535, 6157: 4536,
  ]

  /// A name for messages.
  var name: String {
    switch self {
    case .bool: "a Boolean"
    case .int2, .int4, .int8, .oid: "an integer"
    case .float4, .float8: "a floating-point number"
    case .numeric: "a numeric"
    case .text: "text"
    case .json, .jsonb: "JSON"
    case .bytea: "bytes"
    case .uuid: "a UUID"
    case .date: "a date"
    case .time, .timetz: "a time"
    case .timestamp: "a timestamp without time zone"
    case .timestamptz: "a timestamp with time zone"
    case .interval: "an interval"
    case .array: "an array"
    case .record: "a row"
    case .range: "a range"
    case .multirange: "a multirange"
    case .other: "a value of a type without a known format"
    }
  }
}
