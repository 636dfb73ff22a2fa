extension SPONEventReader {
  /// Bytes that come one by one, in chunks.
  ///
  /// A chunk ends where a value may end, so that nothing is waited for longer than it must be.
  ///
  /// ```swift
  /// for try await element in SPONElementReader.Elements(of: SPONEventReader.ByteChunks(of: bytes)) {
  ///   print(try element.value())
  /// }
  /// ```
  public struct ByteChunks<Bytes: AsyncSequence>: AsyncSequence where Bytes.Element == UInt8 {
    public typealias Element = [UInt8]
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public typealias Failure = Bytes.Failure

    private let bytes: Bytes

    public init(of bytes: Bytes) { self.bytes = bytes }

    public func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(bytes: bytes.makeAsyncIterator())
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var bytes: Bytes.AsyncIterator
      private var isOver = false

      fileprivate init(bytes: Bytes.AsyncIterator) { self.bytes = bytes }

      @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(Failure) -> [UInt8]? {
        guard !isOver else { return nil }
        var chunk: [UInt8] = []
        while let byte = try await bytes.next(isolation: actor) {
          chunk.append(byte)
          if Self.mayEndValue(byte) || chunk.count == 4_096 { return chunk }
        }
        isOver = true
        return chunk.isEmpty ? nil : chunk
      }

      /// The same, isolated to no actor. Systems before macOS 15 call this.
      @_disfavoredOverload
      @concurrent public mutating func next() async rethrows -> [UInt8]? {
        guard !isOver else { return nil }
        var chunk: [UInt8] = []
        while let byte = try await bytes.next() {
          chunk.append(byte)
          if Self.mayEndValue(byte) || chunk.count == 4_096 { return chunk }
        }
        isOver = true
        return chunk.isEmpty ? nil : chunk
      }

      private static func mayEndValue(_ byte: UInt8) -> Bool {
        switch byte {
        case Byte.backtick, Byte.comma, Byte.less, Byte.greater, Byte.openBracket,
          Byte.closeBracket:
          true
        default: false
        }
      }
    }
  }
}

extension SPONEventReader.ByteChunks: Sendable where Bytes: Sendable {}
