import Primitives
import SQLiteCore

/// A token in the notation of the tests.
struct Token: Hashable, CustomStringConvertible {
  var bytes: [UInt8]
  var range: Range<Int>
  var isColocated = false

  init(_ bytes: [UInt8], _ range: Range<Int>, isColocated: Bool = false) {
    self.bytes = bytes
    self.range = range
    self.isColocated = isColocated
  }

  init(_ text: String, _ range: Range<Int>, isColocated: Bool = false) {
    self.init([UInt8](text.utf8), range, isColocated: isColocated)
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var description: String { "\(isColocated ? "=" : "")\(text)@\(range)" }
}

/// A tokenizer implemented by a closure.
struct ClosureTokenizer: FTS5Tokenizer {
  let body:
    (_ text: [UInt8], TokenizerContext.Purpose, _ emit: (Token) throws -> Void) throws -> Void

  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
    try body(text.indices.map { text[$0] }, purpose) { token in
      try emit(token.bytes.elementSpan, token.range, token.isColocated)
    }
  }
}

/// Splits text at spaces, and does not change the bytes.
struct Words: FTS5Tokenizer {
  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
    var start = 0
    for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: " ") {
      if start < end { try emit(text.extracting(start..<end), start..<end, false) }
      start = end + 1
    }
  }
}

/// Emits each pair of adjacent characters, for languages without spaces between words.
struct Bigrams: FTS5Tokenizer {
  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
    var starts = text.indices.filter { text[$0] & 0xc0 != 0x80 }
    starts.append(text.count)
    for index in starts.indices.dropFirst(2) {
      let range = starts[index - 2]..<starts[index]
      try emit(text.extracting(range), range, false)
    }
  }
}

/// Adds synonyms to the documents of another tokenizer, and omits words.
struct WordList: FTS5Tokenizer {
  let base: any FTS5Tokenizer
  var synonyms: [String: [String]] = [:]
  var stopWords: Set<String> = []

  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
    try base.tokenize(text, purpose: purpose) { token, range, isColocated in
      let word = String(decoding: token.indices.map { token[$0] }, as: UTF8.self)
      guard !stopWords.contains(word) else { return }
      try emit(token, range, isColocated)
      guard purpose == .document else { return }
      for synonym in synonyms[word] ?? [] {
        try emit(Array(synonym.utf8).elementSpan, range, true)
      }
    }
  }
}
