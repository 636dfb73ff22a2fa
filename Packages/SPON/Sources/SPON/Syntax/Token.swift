internal import Primitives

/// What the scanner finds: the beginning or the end of a container, or a scalar, with its key where it
/// stands in an object. Offsets count in the bytes that the scanner was given.
struct Token {
  enum Kind: UInt8 {
    case null, bool, integer, unsigned, float, double, decimal, string, opaque, data, instant
    case object, array
    /// The end of the innermost container.
    case end
    case endOfDocument
    /// The bytes end within a token, and more may come.
    case incomplete
  }

  var kind: Kind
  /// Whether an escape may be in the content.
  var mayHaveEscapes = false
  /// Whether an escape may be in the key.
  var keyMayHaveEscapes = false
  /// Where the content begins; that of a container at its `@`.
  var start = 0
  /// The bytes of the content; those of a container's head up to and with its bracket.
  var length = 0
  /// Where the key begins, without its designator; -1 where there is none.
  var keyStart = -1
  var keyLength = 0
  /// The value of a `bool`, `integer`, `unsigned`, `float` or `double`: its bits.
  var bits: UInt64 = 0

  var content: Range<Int> { start..<start + length }
  var key: Range<Int> { keyStart..<keyStart + keyLength }
}

/// Why a token could not be read. Who holds the text makes a ``SPONError`` of it.
struct ScanFailure: Error {
  var code: SPONError.Code
  var message: String
  var offset: Int

  init(_ code: SPONError.Code, _ message: String, at offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  static func checkUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ScanFailure) {
    if let fault = bytes.firstInvalidUTF8(in: range) {
      throw ScanFailure(.invalidUTF8, "the bytes are not UTF-8", at: fault)
    }
  }
}
