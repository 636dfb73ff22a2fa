extension SPONValue: CustomStringConvertible {
  /// The value in the form of ``text(_:version:)`` on one line. Values that are nested too deeply
  /// to be written are shown as `…`.
  public var description: String { shown([]) }

  private func shown(_ formatting: Formatting) -> String {
    if let text = try? text(formatting) { return text }
    return (try? pruned(to: Limits().depth).text(formatting)) ?? "…"
  }

  /// Returns the value without values that are inside more than `depth` containers.
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
  /// The value in a form for debugging: one line for each pair and element, and only the beginning
  /// and the length of long strings and data.
  public var debugDescription: String {
    pruned(to: Limits().depth).abridged.shown(.prettyPrinted)
  }

  /// The value with long content abridged. It must have been pruned.
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
  /// The object in SPON, on one line.
  public var description: String { SPONValue.object(self).description }
}

extension SPONObject {
  /// Returns an object with the same type name and keys, and transformed values.
  func mapValues(_ transform: (SPONValue) -> SPONValue) -> SPONObject {
    SPONObject(typeName: typeName, distinctKeys: keys, values: values.map(transform))
  }
}

extension String {
  /// The beginning of a long text, followed by its length.
  fileprivate var abridged: String {
    let count = utf8.count
    return count <= 200 ? self : "\(String(unicodeScalars.prefix(160)))… (\(count) bytes)"
  }
}
