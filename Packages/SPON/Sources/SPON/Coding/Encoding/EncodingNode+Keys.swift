// Keys of objects.
extension EncodingNode {
  /// Writes a key, so that its value can be written next. Returns the state before it.
  ///
  /// - Parameter mark: The designator of the values for which the written key is cached.
  @discardableResult
  func key(
    _ name: String, in serial: Int, for mark: TypeDesignator = .null
  ) throws(SPONError) -> EncodingBuffer.Savepoint {
    guard text.isOpen(serial) else { throw stale() }
    let before = text.savepoint
    let entry = text.expected(name, name.utf8.count, in: serial)
    if entry >= 0 { text.key(name, entry) } else { unexpectedKey(name, mark) }
    return before
  }

  @inline(never)
  private func unexpectedKey(_ name: String, _ mark: TypeDesignator) {
    if text.top.shape >= 0, let entry = knownEntry(of: name) ?? newEntry(of: name, mark) {
      return text.key(name, entry)
    }
    var uncachedKeys = text.top.uncachedKeys.take() ?? []
    if !uncachedKeys.insert(name).inserted { text.hasDuplicateKeys = true }
    text.top.uncachedKeys = uncachedKeys
    text.beginUncachedKey(name)
    let written =
      if text.top.shape >= 0 {
        session.options.keyEncodingStrategy.key(for: name)
      } else {
        text.top.convertsKeys ? session.options.convertedKey(path) : name
      }
    var output = text.takeOutput()
    output.key(written)
    text.restoreOutput(output)
    text.expectValue(name)
  }

  /// Returns the cached entry of a key that is not the expected one.
  private func knownEntry(of name: String) -> Int? {
    guard let entry = search(name) else { return nil }
    text.follow(by: entry)
    return entry
  }

  private func search(_ name: String) -> Int? {
    let written = text
    return written.cache.search(name, in: written.top.shape, after: written.top.before)
  }

  private func newEntry(of name: String, _ mark: TypeDesignator) -> Int? {
    var written = Output(version: session.options.version)
    written.key(session.options.keyEncodingStrategy.key(for: name))
    text.output.join(written)
    guard text.cache.hasRoom(in: text.top.shape) else { return nil }
    return text.add(
      name, written.bytes, length: name.utf8.count, isASCII: name.utf8.allSatisfy { $0 < 0x80 },
      mark)
  }
}
