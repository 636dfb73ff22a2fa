import SQLiteCore
import Testing

@Suite struct `Blobs as streams` {
  private func database(room count: Int) throws -> Connection {
    let db = try memory("CREATE TABLE f (id INTEGER PRIMARY KEY, c)")
    try db.run("INSERT INTO f VALUES (1, ?)", ZeroBlob(count: count))
    return db
  }

  @Test func `begin as zeros without memory use`() throws {
    let db = try database(room: 10)
    #expect(try db.value([UInt8].self, "SELECT c FROM f") == [UInt8](repeating: 0, count: 10))
    try db.run("INSERT INTO f VALUES (2, ?)", ZeroBlob(count: 0))
    #expect(try db.rows("SELECT typeof(c), length(c) FROM f WHERE id = 2") == [["blob", 0]])
    let statement = try db.prepare("SELECT ?1")
    try statement.bind(ZeroBlob(count: 2), at: 1)
    #expect(try statement.step())
    #expect(try statement.row.read([UInt8].self, at: 0) == [0, 0])
  }

  @Test func `of too many zeros are refused`() throws {
    let db = try database(room: 1)
    for (count, code) in [(-1, .valueOutOfRange), (.max, .tooBig)] as [(Int, SQLiteError.Code)] {
      let error = #expect(throws: SQLiteError.self) {
        try db.run("INSERT INTO f VALUES (2, ?)", ZeroBlob(count: count))
      }
      #expect(error?.code == code)
    }
    let statement = try db.prepare("SELECT ?1")
    let error = #expect(throws: SQLiteError.self) {
      try statement.bind(ZeroBlob(count: 1), at: 2)
    }
    #expect(error?.code == .range)
    try db.run("INSERT INTO f VALUES (2, ?)", ZeroBlob(count: 1))
  }

  @Test func `are written and read in chunks of any size`() throws {
    let db = try database(room: 1_000)
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let pieces = stride(from: 0, to: 1_000, by: 300).map { bytes[$0..<min($0 + 300, 1_000)] }
    try db.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) { blob in
      #expect(try blob.write(contentsOf: pieces) == 1_000)
      for size in [1, 7, 999, 1_000, 5_000] {
        var (read, sizes): ([UInt8], Set<Int>) = ([], [])
        try blob.forEachChunk(of: size) { chunk in
          sizes.insert(chunk.count)
          for index in chunk.indices { read.append(chunk[index]) }
        }
        #expect(read == bytes)
        #expect(sizes.allSatisfy { $0 <= size })
        var chunks = try blob.chunks(of: size)
        read = []
        while let chunk = try chunks.next() { read += chunk }
        #expect(read == bytes)
        #expect(try chunks.next() == nil)
      }
      var tail: [UInt8] = []
      try blob.forEachChunk(of: 64, from: 990) { chunk in
        for index in chunk.indices { tail.append(chunk[index]) }
      }
      #expect(tail == Array(bytes[990...]))
    }
  }

  @Test func `keep the chunks before one that does not fit`() throws {
    let db = try database(room: 5)
    let error = #expect(throws: SQLiteError.self) {
      try db.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) { blob in
        try blob.write(contentsOf: [[1, 2, 3], [4, 5, 6]] as [[UInt8]])
      }
    }
    #expect(error?.code == .outsideBlob)
    #expect(try db.value([UInt8].self, "SELECT c FROM f") == [1, 2, 3, 0, 0])
  }

  @Test func `are copied from one connection to another`() throws {
    let (from, to) = (try database(room: 200_000), try database(room: 200_010))
    try from.withBlob(in: "f", column: "c", row: 1, mode: .readWrite) {
      try $0.write([5], at: 199_999)
    }
    let source = try from.blob(in: "f", column: "c", row: 1)
    let target = try to.blob(in: "f", column: "c", row: 1, mode: .readWrite)
    try target.write(contentsOf: source, at: 10)
    #expect(try target.read(at: 200_008, count: 2) == [0, 5])
    let error = #expect(throws: SQLiteError.self) { try target.write(contentsOf: source, at: 11) }
    #expect(error?.code == .outsideBlob)
  }

  @Test func `end when the blob expires`() throws {
    let db = try database(room: 10)
    let blob = try db.blob(in: "f", column: "c", row: 1)
    var chunks = try blob.chunks(of: 5)
    #expect(try chunks.next()?.count == 5)
    try db.run("UPDATE f SET c = 1")
    let error = #expect(throws: SQLiteError.self) { try chunks.next() }
    #expect(error?.code == .blobExpired)
  }

  @Test func `have chunks of at least one byte`() throws {
    let db = try database(room: 10)
    try db.withBlob(in: "f", column: "c", row: 1) { blob in
      let error = #expect(throws: SQLiteError.self) { try blob.forEachChunk(of: 0) { _ in } }
      #expect(error?.code == .misuse)
      #expect(throws: SQLiteError.self) { try blob.chunks(of: -1) }
      #expect(throws: Failure()) { try blob.forEachChunk { _ in throw Failure() } }
    }
  }
}
