internal import CLibXML2

/// The callbacks of libxml2's parser. Each receives its parser's `XMLParserContext`.
enum XMLCallbacks {
  private typealias Context = UnsafeMutablePointer<XMLParserContext>

  /// - Note: No callback declares or loads anything: the parser ignores everything without a
  ///   callback.
  static var handler: xmlSAXHandler {
    var handler = unsafe holt_xml_handler()
    unsafe handler.serror = { context, error in
      guard let context = unsafe context, let error = unsafe error else { return }
      let level = unsafe error.pointee.level, code = unsafe error.pointee.code
      guard level.rawValue >= XML_ERR_ERROR.rawValue, !XMLFaults.isHarmless(code) else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.fail(code)
    }
    unsafe handler.internalSubset = { context, _, publicID, systemID in
      guard let context = unsafe context else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.startDocumentType(
        isExternal: publicID != nil || systemID != nil)
    }
    // Called at the end of every document type. By default, it would load external subsets.
    unsafe handler.externalSubset = { context, _, _, _ in
      guard let context = unsafe context else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.state
        .isInDocumentType = false
    }
    unsafe handler.entityDecl = { context, _, _, _, _, _ in unsafe XMLCallbacks.forbid(context) }
    unsafe handler.unparsedEntityDecl = { context, _, _, _, _ in
      unsafe XMLCallbacks.forbid(context)
    }
    unsafe handler.getEntity = { context, _ in
      unsafe XMLCallbacks.forbid(context)
      return nil
    }
    unsafe handler.getParameterEntity = { context, _ in
      unsafe XMLCallbacks.forbid(context)
      return nil
    }
    unsafe handler.reference = { context, _ in unsafe XMLCallbacks.forbid(context) }
    unsafe handler.attributeDecl = { context, _, _, _, _, value, choices in
      unsafe xmlFreeEnumeration(choices)
      guard let context = unsafe context, unsafe value != nil else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.forbid(
        "a document type with attribute defaults is not supported")
    }
    unsafe handler.startElementNs = {
      context, local, prefix, namespace, namespaceCount, namespaces, count, _, attributes in
      guard let context = unsafe context else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.start(
        local, prefix, namespace, Int(namespaceCount), namespaces, Int(count), attributes)
    }
    unsafe handler.endElementNs = { context, local, prefix, namespace in
      guard let context = unsafe context else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.end(
        local, prefix, namespace)
    }
    unsafe handler.characters = unsafe XMLCallbacks.characters
    unsafe handler.cdataBlock = unsafe XMLCallbacks.characters
    // The same function: the parser does not determine whether white space is ignorable.
    unsafe handler.ignorableWhitespace = unsafe XMLCallbacks.characters
    unsafe handler.comment = { context, text in
      guard let context = unsafe context else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.comment(text)
    }
    unsafe handler.processingInstruction = { context, target, text in
      guard let context = unsafe context else { return }
      unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.instruction(
        target, text)
    }
    return unsafe handler
  }

  private static let characters: charactersSAXFunc = { context, text, count in
    guard let context = unsafe context, let text = unsafe text else { return }
    unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.text(text, Int(count))
  }

  private static func forbid(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe context.assumingMemoryBound(to: XMLParserContext.self).pointee.forbid(
      XMLFaults.noEntities)
  }
}

extension XMLParserContext {
  fileprivate typealias Text = UnsafePointer<xmlChar>

  fileprivate mutating func forbid(_ message: String) {
    state.fail(.forbidden, message, at: offset)
  }

  fileprivate mutating func startDocumentType(isExternal: Bool) {
    state.isInDocumentType = true
    if isExternal { forbid("an external document type is not supported") }
  }

  fileprivate mutating func start(
    _ local: Text?, _ prefix: Text?, _ namespace: Text?, _ namespaceCount: Int,
    _ namespaces: UnsafeMutablePointer<Text?>?, _ count: Int,
    _ attributes: UnsafeMutablePointer<Text?>?
  ) {
    guard state.fault == nil else { return }
    let offset = tagOffset
    guard count <= state.limits.attributeCount else {
      return state.fail(
        .limitExceeded, "an element has more than \(state.limits.attributeCount) attributes",
        at: offset)
    }
    let name = unsafe entry(local, prefix, namespace, offset)
    let isEmpty = unsafe holt_xml_is_at_slash(parser) != 0
    guard state.fault == nil,
      state.start(
        name, isEmpty: isEmpty, namespaceCount: namespaceCount, offset: offset, end: self.offset)
    else { return }
    defer {
      if state.fault != nil { state.queue.removeStart() }
    }
    if let namespaces = unsafe namespaces, namespaceCount > 0 {
      for at in 0..<namespaceCount {
        // A declaration's prefix and URI are stored as two names.
        let prefix = unsafe entry(namespaces[at * 2], nil, nil, offset)
        let uri = unsafe entry(namespaces[at * 2 + 1], nil, nil, offset)
        state.queue.addNamespace(prefix: prefix, uri: uri)
      }
    }
    guard let attributes = unsafe attributes else { return }
    for at in 0..<count {
      let parts = unsafe attributes + at * 5
      guard let start = unsafe parts[3], let end = unsafe parts[4] else { continue }
      let name = unsafe entry(parts[0], parts[1], parts[2], offset)
      let value = unsafe Span(_unsafeStart: start, count: end - start)
      state.addAttribute(name, value, offset: offset)
    }
  }

  fileprivate mutating func end(_ local: Text?, _ prefix: Text?, _ namespace: Text?) {
    guard state.fault == nil else { return }
    let offset = tagOffset
    state.end(unsafe entry(local, prefix, namespace, offset), offset: offset, end: self.offset)
  }

  fileprivate mutating func text(_ text: Text, _ count: Int) {
    state.addText(unsafe Span(_unsafeStart: text, count: count), offset: offset)
  }

  fileprivate mutating func comment(_ text: Text?) {
    guard state.hasComments, let text = unsafe text else { return }
    let bytes = unsafe Span(_unsafeStart: text, count: Int(xmlStrlen(text)))
    state.addCommentOrInstruction(.comment, -1, bytes, end: offset)
  }

  fileprivate mutating func instruction(_ target: Text?, _ text: Text?) {
    guard state.fault == nil else { return }
    // The parser stores the name in any case, so it counts toward the limit.
    let name = unsafe entry(target, nil, nil, offset)
    guard state.hasInstructions else { return }
    if let text = unsafe text {
      let bytes = unsafe Span(_unsafeStart: text, count: Int(xmlStrlen(text)))
      state.addCommentOrInstruction(.processingInstruction, name, bytes, end: offset)
    } else {
      state.addCommentOrInstruction(.processingInstruction, name, Span<UInt8>(), end: offset)
    }
  }

  /// Returns the number of a name, whose parts the parser interns; a missing name is an empty text.
  private mutating func entry(
    _ local: Text?, _ prefix: Text?, _ namespace: Text?, _ offset: Int
  ) -> Int32 {
    let key = XMLNameTable.Key(
      local: UInt(bitPattern: local), prefix: UInt(bitPattern: prefix),
      namespace: UInt(bitPattern: namespace))
    if let entry = state.names.find(key) { return entry }
    if state.names.entries.count >= state.limits.nameCount {
      state.fail(
        .limitExceeded, "the document has more than \(state.limits.nameCount) different names",
        at: offset)
    }
    if unsafe isTooLong(local) || isTooLong(prefix) || isTooLong(namespace) {
      state.fail(
        .limitExceeded, "a name is longer than \(state.limits.nameLength) bytes", at: offset)
    }
    return unsafe state.names.insert(
      key, local: local.map { unsafe String(cString: $0) } ?? "",
      prefix: prefix.map { unsafe String(cString: $0) },
      namespace: namespace.map { unsafe String(cString: $0) })
  }

  private func isTooLong(_ part: Text?) -> Bool {
    guard let part = unsafe part else { return false }
    return unsafe xmlStrlen(part) > state.limits.nameLength
  }
}
