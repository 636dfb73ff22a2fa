internal import Primitives

/// What reads chunks of a document into something.
protocol ChunkReader {
  associatedtype Output
  var isAtEnd: Bool { get }
  mutating func append(_ chunk: some Sequence<UInt8>)
  mutating func finish()
  mutating func next() throws(SPONError) -> Output?
}

extension SPONEventReader: ChunkReader {}
extension SPONElementReader: ChunkReader {}

/// Feeds a reader, a chunk at a time, and the next one only once it has nothing to give.
struct ChunkPump<Chunks: AsyncIteratorProtocol, Reader: ChunkReader>
where Chunks.Element: Sequence<UInt8> {
  private var chunks: Chunks
  private var reader: Reader
  private var isOver = false

  init(_ chunks: Chunks, into reader: Reader) {
    self.chunks = chunks
    self.reader = reader
  }

  mutating func next(isolation actor: isolated (any Actor)?) async throws -> Reader.Output? {
    guard !isOver else { return nil }
    do {
      while true {
        try Task.checkCancellation()
        if let next = try reader.next() { return next }
        if reader.isAtEnd {
          isOver = true
          return nil
        }
        if let chunk = try await chunks.nextElement(isolation: actor) {
          reader.append(chunk)
        } else {
          // Of many sequences the end is also what a cancelled task gets.
          try Task.checkCancellation()
          reader.finish()
        }
      }
    } catch {
      isOver = true
      throw error
    }
  }
}
