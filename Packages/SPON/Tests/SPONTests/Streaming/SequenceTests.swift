import Primitives
import Testing

@testable import SPON

@Suite struct `Sequences of elements and events` {
  /// Chunks that are produced on request and counted.
  struct Chunks: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    struct Broken: Error {}

    let texts: [String]
    var isBroken = false
    let asked = Count()

    final class Count: Sendable {
      private let count = Mutex(0)
      var value: Int { count.withLock { $0 } }
      func add() { count.withLock { $0 += 1 } }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      var chunks: Chunks
      var at = 0

      mutating func next() async throws -> [UInt8]? {
        chunks.asked.add()
        guard at < chunks.texts.count else {
          if chunks.isBroken { throw Broken() }
          return nil
        }
        at += 1
        return Array(chunks.texts[at - 1].utf8)
      }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunks: self) }
  }

  static let texts = ["@arr", "ay[1!, `tw", "o`, 3!, @obj<a!=`", "4`>,", " 5! ", "]"]
  static let values: [SPONValue] = [
    .integer(1), .string("two"), .integer(3),
    .object(
      {
        var object = SPONObject()
        object["a"] = .integer(4)
        return object
      }()), .integer(5),
  ]

  @Test func `return the elements of chunks`() async throws {
    var found: [SPONValue] = []
    for try await element in SPONElementReader.Elements(of: Chunks(texts: Self.texts)) {
      #expect(element.path == [.index(found.count)])
      found.append(try element.value())
    }
    #expect(found == Self.values)
  }

  @Test func `return values on any actor`() async throws {
    let found = try await Self.onMainActor()
    #expect(found == Self.values)
  }

  @MainActor private static func onMainActor() async throws -> [SPONValue] {
    var found: [SPONValue] = []
    for try await value in SPONElementReader.Elements(of: Chunks(texts: texts)).values {
      found.append(value)
    }
    return found
  }

  @Test func `return the elements of single bytes that match a pattern`() async throws {
    let bytes = AsyncStream { continuation in
      for byte in StreamCases.store.utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    let pattern: SPONPath.Pattern = [.key("tables"), .elements, .key("rows"), .elements]
    var paths: [String] = []
    for try await element in SPONElementReader.Elements(of: bytes, at: pattern) {
      paths.append(SPONPath.Key.describe(element.path))
    }
    #expect(
      paths == [
        "tables[0].rows[0]", "tables[0].rows[1]", "tables[3].rows[0]", "tables[3].rows[1]",
        "tables[3].rows[2]",
      ])
  }

  @Test func `return the events of chunks and of single bytes`() async throws {
    var tree = Tree()
    for try await event in SPONEventReader.Events(of: Chunks(texts: Self.texts)) {
      tree.take(event)
    }
    #expect(tree.root == .array(Self.values))
    let bytes = AsyncStream { continuation in
      for byte in Self.texts.joined().utf8 { continuation.yield(byte) }
      continuation.finish()
    }
    var other = Tree()
    for try await event in SPONEventReader.Events(of: bytes) { other.take(event) }
    #expect(other.root == .array(Self.values))
  }

  @Test func `request a chunk only when it is needed`() async throws {
    let chunks = Chunks(texts: Self.texts)
    var elements = SPONElementReader.Elements(of: chunks).makeAsyncIterator()
    #expect(chunks.asked.value == 0)
    var asked: [Int] = []
    while try await elements.next() != nil { asked.append(chunks.asked.value) }
    #expect(asked == [2, 3, 3, 4, 6])
    #expect(chunks.asked.value == 7)
    #expect(try await elements.next() == nil)
    #expect(chunks.asked.value == 7)
  }

  @Test func `rethrow an error of their base, and end`() async throws {
    var elements = SPONElementReader.Elements(of: Chunks(texts: ["@array[1!,"], isBroken: true))
      .makeAsyncIterator()
    #expect(try await elements.next()?.value() == .integer(1))
    await #expect(throws: Chunks.Broken.self) { try await elements.next() }
    #expect(try await elements.next() == nil)
  }

  @Test func `return the values before an error in the text, and end`() async throws {
    var elements = SPONElementReader.Elements(of: Chunks(texts: ["@array[1!, x!", "]"]))
      .makeAsyncIterator()
    #expect(try await elements.next()?.value() == .integer(1))
    let error = await #expect(throws: SPONError.self) { try await elements.next() }
    #expect(error?.code == .invalidNumber)
    #expect(error?.position?.byteOffset == 11)
    #expect(try await elements.next() == nil)
  }

  @Test func `an incomplete text is an error`() async {
    let error = await #expect(throws: SPONError.self) {
      for try await _ in SPONElementReader.Elements(of: Chunks(texts: ["@array[1!,"])) {}
    }
    #expect(error?.code == .unexpectedEnd)
  }

  @Test func `throw when the task is cancelled`() async {
    let (bytes, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    continuation.yield(Array("@array[1!,".utf8))
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for try await _ in SPONElementReader.Elements(of: bytes) { start.yield() }
    }
    for await _ in started { break }
    task.cancel()
    // The cancellation is thrown, rather than an error for the incomplete text.
    await #expect(throws: CancellationError.self) { try await task.value }
    _ = continuation
  }

  private static func bytes() -> AsyncStream<UInt8> {
    AsyncStream { continuation in
      for byte in "@array[12!, `ab`]  ".utf8 { continuation.yield(byte) }
      continuation.finish()
    }
  }

  @Test func `single bytes are grouped into chunks that end with a possible value`() async {
    var chunks: [String] = []
    for await chunk in SPONEventReader.ByteChunks(of: Self.bytes()) {
      chunks.append(String(decoding: chunk, as: UTF8.self))
    }
    #expect(chunks == ["@array[", "12!,", " `", "ab`", "]", "  "])
  }

  @Test func `single bytes are grouped identically on systems before macOS 15`() async throws {
    #expect(
      try await byNext(SPONEventReader.ByteChunks(of: Self.bytes()))
        == ["@array[", "12!,", " `", "ab`", "]", "  "])
  }

  /// Returns all chunks, requested by `next()` as in a loop on such systems.
  @concurrent private func byNext<Base: AsyncSequence & Sendable>(
    _ sequence: Base
  ) async throws -> [String] where Base.Element == [UInt8] {
    var iterator = sequence.makeAsyncIterator()
    var chunks: [String] = []
    while let chunk = try await iterator.next() {
      chunks.append(String(decoding: chunk, as: UTF8.self))
    }
    return chunks
  }

  @Test func `can be sent to another task`() async throws {
    let elements = SPONElementReader.Elements(of: Chunks(texts: Self.texts))
    let count = try await Task.detached {
      var count = 0
      for try await _ in elements { count += 1 }
      return count
    }.value
    #expect(count == 5)
  }
}
