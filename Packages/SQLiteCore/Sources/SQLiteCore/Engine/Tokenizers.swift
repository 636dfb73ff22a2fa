internal import CSQLite

/// The FTS5 tokenizers of a connection, valid until the connection is closed.
@safe struct EngineTokenizers {
  fileprivate let api: UnsafeMutablePointer<fts5_api>

  fileprivate init(_ api: UnsafeMutablePointer<fts5_api>) { unsafe self.api = api }

  func make(_ name: String, _ arguments: [String]) throws(SQLiteError) -> any FTS5Tokenizer {
    try ConnectionHandle.checkNoNUL(in: name)
    for argument in arguments { try ConnectionHandle.checkNoNUL(in: argument) }
    var (context, functions) = unsafe (UnsafeMutableRawPointer?.none, fts5_tokenizer())
    guard unsafe api.pointee.xFindTokenizer(api, name, &context, &functions) == SQLITE_OK else {
      throw SQLiteError(code: .notFound, message: "no such tokenizer: \(name)")
    }
    return unsafe try WrappedTokenizer(name, arguments, context, functions)
  }
}

/// The user data of a registered tokenizer, which FTS5 releases.
private final class TokenizerBox {
  let make: (borrowing TokenizerContext) throws -> any FTS5Tokenizer
  let tokenizers: EngineTokenizers
  let hooks: Hooks

  init(
    _ make: @escaping (borrowing TokenizerContext) throws -> any FTS5Tokenizer,
    _ tokenizers: EngineTokenizers, _ hooks: Hooks
  ) {
    self.make = make
    self.tokenizers = tokenizers
    self.hooks = hooks
  }
}

/// The tokenizer of one table.
private final class TokenizerInstance {
  let tokenizer: any FTS5Tokenizer
  let hooks: Hooks

  init(_ tokenizer: any FTS5Tokenizer, _ hooks: Hooks) {
    self.tokenizer = tokenizer
    self.hooks = hooks
  }
}

extension ConnectionHandle {
  func createTokenizer(
    _ name: String,
    _ make: @escaping (borrowing TokenizerContext) throws -> any FTS5Tokenizer
  ) throws(SQLiteError) {
    let db = unsafe try pointer()
    try Self.checkNoNUL(in: name)
    let api = unsafe try fullTextInterface(of: db)
    hooks.hasChangedSettings.value = true
    let tokenizers = unsafe EngineTokenizers(api)
    let box = unsafe Unmanaged.passRetained(TokenizerBox(make, tokenizers, hooks))
    var functions = unsafe fts5_tokenizer(
      xCreate: createInstance, xDelete: deleteInstance, xTokenize: tokenizeText)
    let rc = unsafe api.pointee.xCreateTokenizer(
      api, name, box.toOpaque(), &functions,
      { unsafe $0.map { unsafe Unmanaged<TokenizerBox>.fromOpaque($0).release() } })
    guard rc == SQLITE_OK else {
      // FTS5 does not free the box of a tokenizer that it refuses.
      unsafe box.release()
      throw SQLiteError(engineCode: rc, operation: "registering the tokenizer \(name)")
    }
  }

  private func fullTextInterface(
    of db: OpaquePointer
  ) throws(SQLiteError) -> UnsafeMutablePointer<fts5_api> {
    var api: UnsafeMutablePointer<fts5_api>?
    let rc = hooks.bypassingAuthorizer { unsafe holt_fts5_api(db, &api) }
    guard rc == SQLITE_OK else { throw error(rc, sql: nil) }
    guard let api = unsafe api else {
      throw SQLiteError(
        code: .unsupported,
        message:
          "no tokenizer can be registered: SQLite \(SQLiteLibrary.version) was compiled without SQLITE_ENABLE_FTS5"
      )
    }
    return unsafe api
  }
}

private func createInstance(
  data: UnsafeMutableRawPointer?,
  arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, count: Int32,
  created: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let data = unsafe data else { return SQLITE_ERROR }
  let box = unsafe Unmanaged<TokenizerBox>.fromOpaque(data).takeUnretainedValue()
  let words = (0..<Int(count)).compactMap { index in
    unsafe arguments?[index].map { unsafe String(cString: $0) }
  }
  do {
    let tokenizer = try box.hooks.inModuleCallback {
      try box.make(TokenizerContext(arguments: words, tokenizers: box.tokenizers))
    }
    let instance = TokenizerInstance(tokenizer, box.hooks)
    unsafe created?.pointee = OpaquePointer(Unmanaged.passRetained(instance).toOpaque())
    return SQLITE_OK
  } catch {
    return box.hooks.record(ModuleFailure(error))
  }
}

private func deleteInstance(instance: OpaquePointer?) {
  guard let instance = unsafe instance else { return }
  unsafe Unmanaged<TokenizerInstance>.fromOpaque(UnsafeRawPointer(instance)).release()
}

private typealias TokenCallback =
  @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32) ->
  Int32

private func tokenizeText(
  instance: OpaquePointer?, context: UnsafeMutableRawPointer?, flags: Int32,
  text: UnsafePointer<CChar>?, count: Int32, emit: TokenCallback?
) -> Int32 {
  guard let instance = unsafe instance, let emit = unsafe emit else { return SQLITE_ERROR }
  let state = unsafe Unmanaged<TokenizerInstance>.fromOpaque(UnsafeRawPointer(instance))
    .takeUnretainedValue()
  let bytes = unsafe UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(count))
    .bindMemory(to: UInt8.self)
  var hasToken = false
  /// The code by which FTS5 ended the tokenization.
  var ending = SQLITE_OK
  /// The rule that the tokenizer broke. It is reported even if the tokenizer caught the error.
  var misuse: SQLiteError?
  do {
    unsafe try state.tokenizer.tokenize(bytes.span, purpose: TokenizerContext.Purpose(flags: flags))
    {
      (token: Span<UInt8>, range: Range<Int>, isColocated: Bool) throws in
      if let misuse { throw misuse }
      if ending != SQLITE_OK { throw SQLiteError(engineCode: ending, operation: "tokenizing") }
      misuse = fault(
        of: token, range, textCount: Int(count), isFirstSynonym: isColocated && !hasToken)
      if let misuse { throw misuse }
      hasToken = true
      ending = unsafe token.withUnsafeBytes { token in
        unsafe emit(
          context, isColocated ? FTS5_TOKEN_COLOCATED : 0,
          token.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(token.count),
          Int32(range.lowerBound), Int32(range.upperBound))
      }
      if ending != SQLITE_OK { throw SQLiteError(engineCode: ending, operation: "tokenizing") }
    }
    if let misuse { throw misuse }
    return ending
  } catch {
    return ending == SQLITE_OK ? state.hooks.record(ModuleFailure(error)) : ending
  }
}

/// Returns the rule that a token breaks; `nil` if it breaks none.
private func fault(
  of token: Span<UInt8>, _ range: Range<Int>, textCount: Int, isFirstSynonym: Bool
) -> SQLiteError? {
  let fault: String
  if range.lowerBound < 0 || range.upperBound > textCount {
    fault = "a token of bytes \(range) of a text of \(textCount) bytes"
  } else if isFirstSynonym {
    fault = "a synonym without a token before it"
  } else if token.count > Int(Int32.max) {
    fault = "a token of \(token.count) bytes"
  } else if token.indices.contains(where: { token[$0] == 0 }) {
    // FTS5 would truncate the token there, and later report the index as corrupt.
    fault = "a token that contains a NUL"
  } else {
    return nil
  }
  return SQLiteError(code: .misuse, message: "the tokenizer emits \(fault)")
}

extension TokenizerContext.Purpose {
  fileprivate init(flags: Int32) {
    if flags & FTS5_TOKENIZE_PREFIX != 0 {
      self = .prefix
    } else if flags & FTS5_TOKENIZE_QUERY != 0 {
      self = .query
    } else if flags & FTS5_TOKENIZE_AUX != 0 {
      self = .auxiliary
    } else {
      self = .document
    }
  }

  fileprivate var flags: Int32 {
    switch self {
    case .document: FTS5_TOKENIZE_DOCUMENT
    case .query: FTS5_TOKENIZE_QUERY
    case .prefix: FTS5_TOKENIZE_QUERY | FTS5_TOKENIZE_PREFIX
    case .auxiliary: FTS5_TOKENIZE_AUX
    }
  }
}

/// A tokenizer registered with FTS5, wrapped for use by another tokenizer.
@safe private final class WrappedTokenizer: FTS5Tokenizer {
  private let name: String
  private let functions: fts5_tokenizer
  private let tokenizer: OpaquePointer?

  init(
    _ name: String, _ arguments: [String], _ context: UnsafeMutableRawPointer?,
    _ functions: fts5_tokenizer
  ) throws(SQLiteError) {
    var created: OpaquePointer?
    // FTS5's own tokenizers do not retain their arguments.
    var copies = unsafe arguments.map { unsafe UnsafePointer(holt_copy_text($0)) }
    defer { unsafe copies.forEach { unsafe sqlite3_free(UnsafeMutablePointer(mutating: $0)) } }
    let rc = unsafe copies.withUnsafeMutableBufferPointer { copies in
      unsafe functions.xCreate(context, copies.baseAddress, Int32(copies.count), &created)
    }
    self.name = name
    self.functions = functions
    unsafe tokenizer = unsafe created
    guard rc == SQLITE_OK else {
      throw SQLiteError(
        code: .init(rawValue: rc),
        message: "the tokenizer \(name) can't be created with the arguments \(arguments)")
    }
  }

  deinit { if unsafe tokenizer != nil { unsafe functions.xDelete(tokenizer) } }

  func tokenize(_ text: Span<UInt8>, purpose: TokenizerContext.Purpose, emit: Emit) throws {
    guard !text.isEmpty else { return }
    guard let count = Int32(exactly: text.count) else {
      throw SQLiteError(code: .tooBig, message: "a text is too long for the tokenizer \(name)")
    }
    try withoutActuallyEscaping(emit) { emit in
      let relay = TokenRelay(emit)
      // FTS5's trigram tokenizer reads up to a NUL, beyond the given length.
      var terminated: [UInt8] = []
      terminated.reserveCapacity(text.count + 1)
      unsafe text.withUnsafeBytes { unsafe terminated.append(contentsOf: $0) }
      terminated.append(0)
      let rc = unsafe terminated.withUnsafeBytes { text in
        unsafe functions.xTokenize(
          tokenizer, Unmanaged.passUnretained(relay).toOpaque(), purpose.flags,
          text.baseAddress?.assumingMemoryBound(to: CChar.self), count, relayToken)
      }
      if let failure = relay.failure { throw failure }
      guard rc == SQLITE_OK else {
        throw SQLiteError(engineCode: rc, operation: "the tokenizer \(name)")
      }
    }
  }
}

/// Receives the tokens of a wrapped tokenizer.
private final class TokenRelay {
  let emit: FTS5Tokenizer.Emit
  var failure: (any Error)?

  init(_ emit: @escaping FTS5Tokenizer.Emit) { self.emit = emit }
}

private func relayToken(
  context: UnsafeMutableRawPointer?, flags: Int32, token: UnsafePointer<CChar>?, count: Int32,
  start: Int32, end: Int32
) -> Int32 {
  guard let context = unsafe context, start <= end, count >= 0 else { return SQLITE_ERROR }
  let relay = unsafe Unmanaged<TokenRelay>.fromOpaque(context).takeUnretainedValue()
  let bytes = unsafe UnsafeRawBufferPointer(start: token, count: token == nil ? 0 : Int(count))
    .bindMemory(to: UInt8.self)
  do {
    unsafe try relay.emit(
      bytes.span, Int(start)..<Int(end), flags & FTS5_TOKEN_COLOCATED != 0)
    return SQLITE_OK
  } catch {
    relay.failure = error
    return SQLITE_ABORT
  }
}
