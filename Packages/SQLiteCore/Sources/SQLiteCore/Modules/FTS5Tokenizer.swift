/// A tokenizer of FTS5 that is implemented in Swift: splits texts into the tokens that a full-text table indexes and
/// searches.
///
/// ```swift
/// /// Indexes each character, as texts without spaces between words need it.
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
  ///   - token: The bytes of the token. They need not be those of the text, nor UTF-8, but must not contain NUL.
  ///   - range: The bytes of the text that the token stands for: what `highlight` and `snippet` mark. It must be inside
  ///     the text, and should not begin before the range of an earlier token.
  ///   - isColocated: Whether the token is a synonym of the token before, and takes the same place in phrases. The first
  ///     token of a text can't be one.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/misuse`` if one of these rules is broken, and whatever ends the
  ///   tokenization. ``tokenize(_:purpose:emit:)`` throws the error again; a tokenizer that goes on emits no more.
  typealias Emit = (_ token: Span<UInt8>, _ range: Range<Int>, _ isColocated: Bool) throws -> Void

  /// Passes each token of a text to `emit`, in the order of the text.
  ///
  /// What it throws fails the statement, as for functions: see ``Connection/register(_:argumentCount:options:_:)``.
  ///
  /// Synonyms belong in the document or in the query, not in both.
  ///
  /// - Parameters:
  ///   - text: The bytes of the text. They may contain NUL, and need not be UTF-8.
  ///   - purpose: What the tokens are used for.
  ///   - emit: Receives each token.
  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws
}

extension TokenizerContext {
  /// What the tokens of a text are used for.
  public enum Purpose: Hashable, Sendable, CaseIterable {
    /// The text is a column's value, and is indexed or removed from the index.
    case document
    /// The text is a term of a query.
    case query
    /// The text is a term of a query, followed by `*`: its last token is the beginning of the tokens to find.
    case prefix
    /// An auxiliary function such as `highlight` or `snippet` reads the text, a column's value.
    case auxiliary
  }
}

/// The arguments of a tokenizer, and the other tokenizers of its connection. It is valid during the call only.
public struct TokenizerContext: ~Copyable {
  /// What follows the tokenizer's name in `tokenize = 'name argument argument'`.
  public let arguments: [String]
  let tokenizers: EngineTokenizers

  /// Makes a tokenizer that the connection has, for one that changes its tokens: `unicode61`, `porter`, `trigram`, `ascii`,
  /// or one that was registered.
  ///
  /// ```swift
  /// /// Leaves words out of the tokens of another tokenizer.
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
  ///   - name: The name of the tokenizer.
  ///   - arguments: The tokenizer's arguments.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/notFound`` if there is no tokenizer of that name, and what the
  ///   tokenizer reports if it can't take the arguments.
  public func tokenizer(
    _ name: String, arguments: [String] = []
  ) throws(SQLiteError) -> any FTS5Tokenizer {
    try tokenizers.make(name, arguments)
  }
}

extension Connection {
  /// Registers a tokenizer that is implemented in Swift, for the FTS5 tables of the connection.
  ///
  /// Each connection that uses a table needs the table's tokenizer. For those of a ``Database``, register it in
  /// ``Configuration/prepare``, which runs for each connection as it is opened:
  ///
  /// ```swift
  /// configuration.prepare = { connection in
  ///   try connection.registerTokenizer("characters") { _ in Characters() }
  /// }
  /// ```
  ///
  /// FTS5 keeps the tokenizer until the connection is closed, also if another takes its name: tables that are connected
  /// already go on with the tokenizer that they have.
  ///
  /// - Parameters:
  ///   - name: The tokenizer's name, which SQL may write in either case.
  ///   - make: Makes the tokenizer of a table, when a statement first uses the table. What it throws fails that statement.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/unsupported`` if this SQLite was built without FTS5, with
  ///   ``SQLiteError/Code/misuse`` if the name contains NUL.
  public func registerTokenizer<Tokenizer: FTS5Tokenizer>(
    _ name: String, _ make: @escaping (borrowing TokenizerContext) throws -> Tokenizer
  ) throws(SQLiteError) {
    try handle.createTokenizer(name, make)
  }
}

extension Connection {
  /// Registers a module of virtual tables that is implemented in Swift: see ``VirtualTable``.
  ///
  /// The connections of a ``Database`` each need the module. Register it in ``Configuration/prepare``, which runs for
  /// each connection as it is opened:
  ///
  /// ```swift
  /// var configuration = Configuration()
  /// configuration.prepare = { connection in
  ///   try connection.register(module: Countdown(), as: "countdown")
  /// }
  /// ```
  ///
  /// A module of the same name is replaced, and each ``Statement`` is compiled anew when it runs next. A table that
  /// `CREATE VIRTUAL TABLE` made, and that is connected already, keeps its module until the connection is closed or the
  /// table is dropped.
  ///
  /// - Parameters:
  ///   - module: The module. The connection keeps it, see ``VirtualTable/Module``.
  ///   - name: The module's name, which SQL may write in either case.
  ///   - options: Whether the schema may use the module's tables: ``Connection/FunctionOptions/innocuous`` and
  ///     ``Connection/FunctionOptions/directOnly`` have the meaning that they have for functions. Without the former, triggers
  ///     and views can use the tables only if the configuration trusts the schema. ``Connection/FunctionOptions/deterministic``
  ///     has no effect.
  /// - Throws: ``SQLiteError`` with code ``SQLiteError/Code/busy`` while a statement runs, with
  ///   ``SQLiteError/Code/misuse`` if the name contains NUL or is the one of this package's own module.
  public func register<Module: VirtualTable.Module>(
    module: Module, as name: String, options: FunctionOptions = []
  ) throws(SQLiteError) {
    try handle.createModule(module, name, options: options)
    // Compiled statements keep the module that was replaced.
    cache.removeAll()
  }

  /// Removes a module. A module that does not exist is not an error.
  ///
  /// Tables that `CREATE VIRTUAL TABLE` made, and that are connected already, keep the module.
  ///
  /// - Throws: As ``register(module:as:options:)``.
  public func unregister(module name: String) throws(SQLiteError) {
    try handle.deleteModule(name)
    cache.removeAll()
  }
}
