// Declarations of Apple's module for type checking. This code is never run.
@_exported import Darwin
@_exported import Dispatch

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Codable, Sendable {
  public init() {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public var timeIntervalSince1970: TimeInterval { 0 }
  public static func < (one: Date, other: Date) -> Bool { false }
}

public struct Data: Hashable, Codable, Sendable, RandomAccessCollection, MutableCollection {
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }

  public init() {}
  public init(_ bytes: some Sequence<UInt8>) {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init(contentsOf url: URL) throws {}
  public init?(base64Encoded: String) {}
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(place: Int) -> UInt8 {
    get { 0 }
    set {}
  }
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public func base64EncodedString() -> String { "" }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
  public mutating func append(_ bytes: some Sequence<UInt8>) {}
  @available(macOS 26, *)
  public var span: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { preconditionFailure() }
  }
}

public struct URL: Hashable, Codable, Sendable {
  public init?(string: String) {}
  @available(macOS 14, *)
  public init?(string: String, encodingInvalidCharacters: Bool) {}
  public init(fileURLWithPath: String) {}
  public init(fileURLWithPath: String, isDirectory: Bool) {}
  @available(macOS 13, *)
  public init(filePath: String) {}
  public var absoluteString: String { "" }
  public var isFileURL: Bool { false }
  public var path: String { "" }
  public var lastPathComponent: String { "" }
  public func deletingLastPathComponent() -> URL { self }
  public func appendingPathComponent(_ name: String) -> URL { self }
  @available(macOS 13, *)
  public func appending(path: String) -> URL { self }
  public enum DirectoryHint: Sendable {
    case isDirectory
  }
  @available(macOS 13, *)
  public func appending(path: String, directoryHint: DirectoryHint) -> URL { self }
  public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues {
    URLResourceValues()
  }
  @available(macOS 13, *)
  public func path(percentEncoded: Bool = true) -> String { "" }
  @available(macOS 13, *)
  public static var documentsDirectory: URL { URL(fileURLWithPath: "") }
}

public struct URLResourceKey: Hashable, Sendable {
  public static let isDirectoryKey = URLResourceKey()
}

public struct URLResourceValues: Sendable {
  public var isDirectory: Bool? { nil }
}

public typealias uuid_t = (
  UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8,
  UInt8, UInt8
)

public struct UUID: Hashable, Comparable, Codable, Sendable {
  public init() {}
  public init(uuid: uuid_t) {}
  public init?(uuidString: String) {}
  public var uuid: uuid_t { (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
  public var uuidString: String { "" }
  public static func < (one: UUID, other: UUID) -> Bool { false }
}

public struct Decimal: Hashable, Comparable, Codable, Sendable, SignedNumeric,
  CustomStringConvertible
{
  public init(_ value: Int) {}
  public init(_ value: Int64) {}
  public init(_ value: UInt64) {}
  public init(_ value: Double) {}
  public init(integerLiteral: Int) {}
  public init?(exactly value: some BinaryInteger) {}
  public init?(string: String) {}
  public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
  public static var nan: Decimal { Decimal(0) }
  public var isNaN: Bool { false }
  public var isZero: Bool { false }
  public var magnitude: Decimal { self }
  public var description: String { "" }
  public static func < (one: Decimal, other: Decimal) -> Bool { false }
  public static func + (one: Decimal, other: Decimal) -> Decimal { one }
  public static func - (one: Decimal, other: Decimal) -> Decimal { one }
  public static func * (one: Decimal, other: Decimal) -> Decimal { one }
  public static func += (one: inout Decimal, other: Decimal) {}
  public static func -= (one: inout Decimal, other: Decimal) {}
  public static func *= (one: inout Decimal, other: Decimal) {}
}

open class JSONDecoder {
  public enum DateDecodingStrategy {
    case deferredToDate
    case custom(@Sendable (any Decoder) throws -> Date)
  }

  public init() {}
  public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    preconditionFailure()
  }
}

open class JSONEncoder {
  public enum DateEncodingStrategy {
    case deferredToDate
    case custom(@Sendable (Date, any Encoder) throws -> Void)
  }

  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
    public static let withoutEscapingSlashes = OutputFormatting(rawValue: 4)
  }

  public init() {}
  public var outputFormatting: OutputFormatting = []
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
  public func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}

open class DateFormatter: @unchecked Sendable {
  public init() {}
  public func date(from text: String) -> Date? { nil }
  public func string(from date: Date) -> String { "" }
}

public struct Calendar: Hashable, Sendable {
  public enum Identifier: Sendable {
    case iso8601
  }

  public init(identifier: Identifier) {}
  public func dateComponents(in zone: TimeZone, from date: Date) -> DateComponents {
    DateComponents()
  }
}

public struct TimeZone: Hashable, Sendable {
  @available(macOS 13, *)
  public static var gmt: TimeZone { TimeZone() }
}

public struct DateComponents: Hashable, Sendable {
  public var year, month, day, hour, minute, second: Int?
}

open class FileHandle: @unchecked Sendable {
  public static let standardError = FileHandle()
  public func write(_ data: Data) {}
}

open class Thread {
  public static var isMainThread: Bool { true }
}

open class Progress: @unchecked Sendable {
  public init(totalUnitCount: Int64) {}
  public var totalUnitCount: Int64 = 0
  public var completedUnitCount: Int64 = 0
  public var isCancelled: Bool { false }
}

open class ProcessInfo: @unchecked Sendable {
  public static let processInfo = ProcessInfo()
  public var processName: String { "" }
  public var environment: [String: String] { [:] }
}

open class Bundle: @unchecked Sendable {
  public static let main = Bundle()
  public var resourcePath: String? { nil }
  public var bundlePath: String { "" }
  public func object(forInfoDictionaryKey key: String) -> Any? { nil }
}

public struct FileAttributeKey: Hashable, Sendable {
  public static let modificationDate = FileAttributeKey()
  public static let systemFileNumber = FileAttributeKey()
  public static let posixPermissions = FileAttributeKey()
}

open class FileManager: @unchecked Sendable {
  public enum SearchPathDirectory: Sendable {
    case cachesDirectory
    case applicationSupportDirectory
    case documentDirectory
  }

  public struct SearchPathDomainMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userDomainMask = SearchPathDomainMask(rawValue: 1)
  }

  public static let `default` = FileManager()
  public var temporaryDirectory: URL { URL(fileURLWithPath: "") }
  public func contents(atPath path: String) -> Data? { nil }
  public func contentsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func fileExists(atPath path: String) -> Bool { false }
  public func createDirectory(
    atPath path: String, withIntermediateDirectories: Bool,
    attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  public func createSymbolicLink(atPath path: String, withDestinationPath: String) throws {}
  public func destinationOfSymbolicLink(atPath path: String) throws -> String { "" }
  public func subpathsOfDirectory(atPath path: String) throws -> [String] { [] }
  public func createDirectory(at url: URL, withIntermediateDirectories: Bool) throws {}
  public func removeItem(at url: URL) throws {}
  public func removeItem(atPath path: String) throws {}
  public func moveItem(atPath path: String, toPath: String) throws {}
  public func copyItem(atPath path: String, toPath: String) throws {}
  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { [:] }
  public func setAttributes(
    _ attributes: [FileAttributeKey: Any], ofItemAtPath path: String
  ) throws {}
}

public func NSSearchPathForDirectoriesInDomains(
  _ kind: FileManager.SearchPathDirectory, _ domain: FileManager.SearchPathDomainMask,
  _ expands: Bool
) -> [String] { [] }
public func NSTemporaryDirectory() -> String { "" }
public func NSHomeDirectory() -> String { "" }

open class NSError: Error, @unchecked Sendable {
  public init() {}
  public var domain: String { "" }
  public var code: Int { 0 }
  public var userInfo: [String: Any] { [:] }
}

/// Called by the compiler for `error as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { NSError() }

public let NSUnderlyingErrorKey = ""
public let NSPOSIXErrorDomain = ""

public enum POSIXErrorCode: Int32, Sendable {
  case EPERM = 1
  case ENOENT
  case EACCES = 13
  case ENOTDIR = 20
  case EISDIR
  case ENOSPC = 28
  case EROFS = 30
}

public struct CocoaError: Error {
  public struct Code: Hashable, Sendable {
    public static let fileNoSuchFile = Code()
    public static let fileReadNoSuchFile = Code()
    public static let fileReadNoPermission = Code()
    public static let fileWriteNoPermission = Code()
  }

  public var code: Code { Code() }
}

extension Error {
  public var localizedDescription: String { "" }
}

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}
