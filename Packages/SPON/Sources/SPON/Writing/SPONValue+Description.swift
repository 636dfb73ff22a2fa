extension SPONValue: CustomStringConvertible {
  /// The value as ``text(_:version:)`` writes it on one line. What is nested too deep to be written is
  /// shown as `…`.
  public var description: String { shown([]) }

  private func shown(_ formatting: Formatting) -> String {
    if let text = try? text(formatting) { return text }
    return (try? pruned(to: Limits().depth).text(formatting)) ?? "…"
  }

  /// The value without what more than so many containers are around.
  private func pruned(to depth: Int) -> SPONValue {
    switch self {
    case .array(let elements):
      guard depth > 0 else { return .opaque("…") }
      return .array(elements.map { $0.pruned(to: depth - 1) })
    case .object(let object):
      guard depth > 0 else { return .opaque("…") }
      return .object(object.mapValues { $0.pruned(to: depth - 1) })
    default: return self
    }
  }
}

extension SPONValue: CustomDebugStringConvertible {
  /// The value for the eyes of who looks for a mistake: a line for each pair and element, and of long
  /// texts and data the beginning and the length.
  public var debugDescription: String {
    pruned(to: Limits().depth).abridged.shown(.prettyPrinted)
  }

  /// The value without what is long. It is pruned already.
  private var abridged: SPONValue {
    switch self {
    case .string(let text): .string(text.abridged)
    case .opaque(let text): .opaque(text.abridged)
    case .bytes(let bytes) where bytes.count > 48: .opaque("\(bytes.count) bytes")
    case .array(let elements): .array(elements.map(\.abridged))
    case .object(let object): .object(object.mapValues(\.abridged))
    default: self
    }
  }
}

extension SPONObject: CustomStringConvertible {
  /// The object as a value in SPON, on one line.
  public var description: String { SPONValue.object(self).description }
}

extension SPONObject {
  /// An object with the same type name and keys.
  func mapValues(_ transform: (SPONValue) -> SPONValue) -> SPONObject {
    SPONObject(typeName: typeName, distinctKeys: keys, values: values.map(transform))
  }
}

extension String {
  /// The beginning of a long text, and how long it is.
  fileprivate var abridged: String {
    let count = utf8.count
    return count <= 200 ? self : "\(String(unicodeScalars.prefix(160)))… (\(count) bytes)"
  }
}
