/// An FTS5 tokenizer implemented in Swift, which splits text into the tokens that a full-text table indexes and
/// searches.
///
/// ```swift
/// /// Indexes each character, for languages without spaces between words.
/// struct Characters: FTS5Tokenizer {
///   func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
///     var start = 0
///     while start < text.count {
///       var end = start + 1
///       while end < text.count, text[end] & 0xc0 == 0x80 { end += 1 }
///       try emit(text.extracting(start..<end), start..<end, false)
///       start = end
///     }
///   }
/// }
/// try connection.registerTokenizer("characters") { _ in Characters() }
/// try connection.execute("CREATE VIRTUAL TABLE page USING fts5(body, tokenize = 'characters')")
/// ```
///
/// See also https://sqlite.org/fts5.html#custom_tokenizers.
public protocol FTS5Tokenizer {
  /// Receives one token.
  ///
  /// - Parameters:
  ///   - token: The token's bytes. They need not occur in the text or be valid UTF-8, but must not contain NUL.
  ///   - range: The range of the token in the text, which `highlight` and `snippet` mark. It must be inside the text,
  ///     and should not begin before the range of an earlier token.
  ///   - isColocated: Whether the token is a synonym of the previous token, with the same position in phrases. The
  ///     first token of a text can't be a synonym.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if one of these rules is broken; another error if
  ///   FTS5 ends the tokenization. ``tokenize(_:purpose:emit:)`` throws the error again; if a tokenizer continues,
  ///   further tokens are ignored.
  typealias Emit = (_ token: Span<UInt8>, _ range: Range<Int>, _ isColocated: Bool) throws -> Void

  /// Passes each token of a text to `emit`, in text order.
  ///
  /// An error fails the statement, as for functions: see ``Connection/register(_:argumentCount:options:_:)``.
  ///
  /// Emit synonyms either for documents or for queries, not for both.
  ///
  /// - Parameters:
  ///   - text: The text's bytes. They may contain NUL, and need not be valid UTF-8.
  ///   - purpose: The use of the tokens.
  ///   - emit: Receives each token.
  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws
}

extension TokenizerContext {
  /// The use of a text's tokens.
  public enum Purpose: Hashable, Sendable, CaseIterable {
    /// The text is a column's value, and is indexed or removed from the index.
    case document
    /// The text is a term of a query.
    case query
    /// The text is a term of a query, followed by `*`: its last token is a prefix of the tokens to find.
    case prefix
    /// An auxiliary function such as `highlight` or `snippet` reads the text, a column's value.
    case auxiliary
  }
}

/// The arguments of a tokenizer, and access to the connection's other tokenizers. It is valid only during the call.
public struct TokenizerContext: ~Copyable {
  /// The arguments after the tokenizer's name in `tokenize = 'name argument argument'`.
  public let arguments: [String]
  let tokenizers: EngineTokenizers

  /// Creates another tokenizer of the connection, to build on its tokens: `unicode61`, `porter`, `trigram`, `ascii`, or
  /// a registered one.
  ///
  /// ```swift
  /// /// Omits words from the tokens of another tokenizer.
  /// struct WithoutStopWords: FTS5Tokenizer {
  ///   let base: any FTS5Tokenizer
  ///   let words: Set<String>
  ///
  ///   func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
  ///     try base.tokenize(text, purpose: purpose) { token, range, isColocated in
  ///       let word = String(decoding: token.indices.map { token[$0] }, as: UTF8.self)
  ///       if !words.contains(word) { try emit(token, range, isColocated) }
  ///     }
  ///   }
  /// }
  /// try connection.registerTokenizer("english") { context in
  ///   WithoutStopWords(
  ///     base: try context.tokenizer("porter", arguments: ["unicode61"]), words: ["the", "of"])
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The tokenizer's name.
  ///   - arguments: The tokenizer's arguments.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/notFound`` if there is no tokenizer with this name; the
  ///   tokenizer's error if the arguments are invalid.
  public func tokenizer(
    _ name: String, arguments: [String] = []
  ) throws(SQLiteError) -> any FTS5Tokenizer {
    try tokenizers.make(name, arguments)
  }
}

extension Connection {
  /// Registers a tokenizer implemented in Swift for the connection's FTS5 tables.
  ///
  /// Each connection that uses a table needs the table's tokenizer. For a ``Database``, register it in
  /// ``Configuration/prepare``, which runs for each connection when it is opened:
  ///
  /// ```swift
  /// configuration.prepare = { connection in
  ///   try connection.registerTokenizer("characters") { _ in Characters() }
  /// }
  /// ```
  ///
  /// FTS5 retains the tokenizer until the connection is closed, even if another tokenizer with the same name is
  /// registered: connected tables continue to use their tokenizer.
  ///
  /// - Parameters:
  ///   - name: The tokenizer's name, which is case-insensitive.
  ///   - make: Creates the tokenizer of a table when a statement first uses the table. If it throws, that statement
  ///     fails.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if SQLite was built without FTS5, with
  ///   ``SQLiteError/Code/misuse`` if the name contains NUL.
  public func registerTokenizer<Tokenizer: FTS5Tokenizer>(
    _ name: String, _ make: @escaping (borrowing TokenizerContext) throws -> Tokenizer
  ) throws(SQLiteError) {
    try handle.createTokenizer(name, make)
  }
}

extension Connection {
  /// Registers a virtual table module implemented in Swift: see ``VirtualTable``.
  ///
  /// Each connection of a ``Database`` needs the module. Register it in ``Configuration/prepare``, which runs for each
  /// connection when it is opened:
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepare = { connection in
  ///   try connection.register(module: Countdown(), as: "countdown")
  /// }
  /// ```
  ///
  /// A module with the same name is replaced, and each ``Statement`` is recompiled before its next run. Connected
  /// tables that `CREATE VIRTUAL TABLE` created keep their module until the connection is closed or the table is
  /// dropped.
  ///
  /// - Parameters:
  ///   - module: The module. The connection retains it: see ``VirtualTable/Module``.
  ///   - name: The module's name, which is case-insensitive.
  ///   - options: Whether the schema may use the module's tables. ``Connection/FunctionOptions/innocuous`` and
  ///     ``Connection/FunctionOptions/directOnly`` have the same meaning as for functions. Without the former, triggers
  ///     and views can use the tables only if the configuration trusts the schema.
  ///     ``Connection/FunctionOptions/deterministic`` has no effect.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` while a statement runs, with
  ///   ``SQLiteError/Code/misuse`` if the name contains NUL or is reserved by this package, or if
  ///   ``VirtualTable/Module/shadowNames`` contains an invalid name; with ``SQLiteError/Code/unsupported`` if modules
  ///   declare too many different sets of shadow names.
  public func register<Module: VirtualTable.Module>(
    module: Module, as name: String, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createModule(module, name, options: options)
    // Compiled statements would continue to use the replaced module.
    cache.removeAll()
  }

  /// Removes a module. A module that does not exist is not an error.
  ///
  /// Connected tables that `CREATE VIRTUAL TABLE` created keep the module.
  ///
  /// - Throws: The same errors as ``register(module:as:options:)``.
  public func unregister(module name: String) throws(SQLiteError) {
    try handle.deleteModule(name)
    cache.removeAll()
  }
}
