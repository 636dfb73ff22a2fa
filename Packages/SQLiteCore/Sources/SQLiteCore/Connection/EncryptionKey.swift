#if SQLCipher
  /// The key of an encrypted database, which SQLCipher reads and writes. Exists with the trait `SQLCipher`.
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.key = try EncryptionKey(passphrase: passphrase)
  /// let database = try Database(path: "notes.sqlite", configuration: configuration)
  /// ```
  ///
  /// No description, error or mirror shows the key. It is in memory as long as a configuration that has it.
  public struct EncryptionKey: Sendable {
    /// The key as SQLCipher takes it: a passphrase, or `x'…'` with hexadecimal digits.
    let bytes: [UInt8]

    /// A key that is derived from a passphrase by PBKDF2.
    ///
    /// Each connection derives it once, which takes some tenths of a second on purpose. A ``Database`` opens one
    /// connection for each read that runs at the same time: with a raw key they open faster.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if the passphrase is empty, or has the form
    ///   of a raw key, `x'…'`, which SQLCipher would take it for.
    public init(passphrase: String) throws(SQLiteError) {
      let bytes = Array(passphrase.utf8)
      guard !bytes.isEmpty else {
        throw SQLiteError(code: .misuse, message: "a passphrase is not empty")
      }
      let quote = UInt8(ascii: "'")
      guard
        !(bytes.count > 2 && bytes[0] | 0x20 == UInt8(ascii: "x") && bytes[1] == quote
          && bytes.last == quote)
      else {
        throw SQLiteError(code: .misuse, message: "a passphrase does not have the form x'…'")
      }
      self.bytes = bytes
    }

    /// A key of 32 bytes, from a random generator or another derivation, which is used as it is.
    ///
    /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if it has another size.
    public init(raw: [UInt8]) throws(SQLiteError) {
      guard raw.count == 32 else {
        throw SQLiteError(
          code: .misuse, message: "a raw key has 32 bytes, and \(raw.count) were given")
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
