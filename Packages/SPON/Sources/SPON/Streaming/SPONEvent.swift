extension SPONEventReader {
  /// One step through a document: a scalar, or the beginning or the end of a container.
  ///
  /// ```swift
  /// var reader = SPONEventReader()
  /// reader.append("@obj:Lot<tags=@array[`red`]>".utf8)
  /// reader.finish()
  /// while let event = try reader.next() {
  ///   print(event.depth, event.key?.stringValue ?? "", event.kind)
  /// }
  /// ```
  public struct Event: Hashable, Sendable {
    /// What is found.
    public enum Kind: Hashable, Sendable {
      /// An object begins. The name of its type is empty where it has none.
      case beginObject(typeName: String)
      case beginArray
      /// A value that is neither an object nor an array.
      case scalar(SPONValue)
      case endObject
      case endArray
    }

    public let kind: Kind
    /// The key or the index of the value in its container; `nil` for the root. The end of a container
    /// has that of its beginning.
    public let key: SPONPath.Key?
    /// How many containers are around the value: 0 for the root. The end of a container has the depth
    /// of its beginning.
    public let depth: Int

    public init(_ kind: Kind, key: SPONPath.Key?, depth: Int) {
      self.kind = kind
      self.key = key
      self.depth = depth
    }
  }
}
