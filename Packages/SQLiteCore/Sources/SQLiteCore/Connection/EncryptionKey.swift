#if SQLCipher
  /// The key of a database that is encrypted by SQLCipher. Available with the trait `SQLCipher`.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.key = try EncryptionKey(passphrase: passphrase)
  /// let database = try Database(path: "notes.sqlite", configuration: configuration)
  /// ```
  ///
  /// Descriptions, errors and mirrors do not reveal the key. The key is in memory as long as a configuration contains
  /// it.
  public struct EncryptionKey: Sendable {
    /// The key in SQLCipher's format: a passphrase, or `x'…'` with hexadecimal digits.
    let bytes: [UInt8]

    /// Creates a key that is derived from a passphrase by PBKDF2.
    ///
    /// Each connection derives the key once, which deliberately takes some tenths of a second. A ``Database`` opens a
    /// connection for each concurrent read; with a raw key, these open faster.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the passphrase is empty, or has the form of a
    ///   raw key, `x'…'`, which SQLCipher would interpret as one.
    public init(passphrase: String) throws(SQLiteError) {
      let bytes = Array(passphrase.utf8)
      guard !bytes.isEmpty else {
        throw SQLiteError(code: .misuse, message: "a passphrase must not be empty")
      }
      let quote = UInt8(ascii: "'")
      guard
        !(bytes.count > 2 && bytes[0] | 0x20 == UInt8(ascii: "x") && bytes[1] == quote
          && bytes.last == quote)
      else {
        throw SQLiteError(code: .misuse, message: "a passphrase must not have the form x'…'")
      }
      self.bytes = bytes
    }

    /// Creates a key from 32 bytes, of a random generator or another key derivation, which is used without derivation.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the key does not have 32 bytes.
    public init(raw: [UInt8]) throws(SQLiteError) {
      guard raw.count == 32 else {
        throw SQLiteError(
          code: .misuse, message: "a raw key must have 32 bytes, got \(raw.count)")
      }
      bytes = Array(SQLiteValue.blob(raw).description.utf8)
    }
  }

  extension EncryptionKey: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
  {
    public var description: String { "EncryptionKey" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
