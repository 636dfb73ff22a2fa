public import Foundation

/// A reader of the messages in a stream of bytes, each preceded by a `Content-Length` header.
///
/// ```swift
/// var reader = MessageReader()
/// reader.append(bytes)
/// while let body = try reader.next() { handle(body) }
/// ```
public struct MessageReader: Sendable {
  /// The maximum length of a message's body.
  public static let maximumBodyLength = 64 << 20
  /// The maximum length of a message's headers.
  public static let maximumHeaderLength = 8 << 10

  /// A stream that can't be split into messages. There is no way to find the next message.
  public enum Failure: Error, Hashable, Sendable {
    case missingLength
    case malformedHeader
    case bodyTooLong(Int)
  }

  private var buffer: [UInt8] = []
  /// The index of the first byte that was not returned.
  private var start = 0
  /// The length of the body whose headers were read.
  private var bodyLength: Int?

  public init() {}

  /// Indicates whether the stream ends within a message.
  public var isWithinMessage: Bool { start < buffer.count || bodyLength != nil }

  public mutating func append(_ bytes: some Collection<UInt8>) {
    if start > 0, start == buffer.count || start > 1 << 16 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer += bytes
  }

  /// Returns the body of the next message, or `nil` if it has not arrived completely.
  public mutating func next() throws(Failure) -> [UInt8]? {
    if bodyLength == nil {
      guard let header = try readHeader() else { return nil }
      bodyLength = header
    }
    guard let length = bodyLength, buffer.count - start >= length else { return nil }
    let body = Array(buffer[start..<start + length])
    start += length
    bodyLength = nil
    return body
  }

  private mutating func readHeader() throws(Failure) -> Int? {
    let end: [UInt8] = [13, 10, 13, 10]
    let limit = min(buffer.count, start + Self.maximumHeaderLength)
    guard let found = buffer[start..<limit].firstRange(of: end) else {
      if buffer.count - start >= Self.maximumHeaderLength { throw .malformedHeader }
      return nil
    }
    let text = String(decoding: buffer[start..<found.lowerBound], as: UTF8.self)
    start = found.upperBound
    var length: Int?
    for line in text.split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { throw .malformedHeader }
      guard line[..<colon].lowercased() == "content-length" else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      guard let number = Int(value), number >= 0 else { throw .malformedHeader }
      length = number
    }
    guard let length else { throw .missingLength }
    guard length <= Self.maximumBodyLength else { throw .bodyTooLong(length) }
    return length
  }

  /// Returns a message with its header.
  public static func frame(_ body: Data) -> Data {
    Data("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
