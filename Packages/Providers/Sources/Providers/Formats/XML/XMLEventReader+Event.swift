extension XMLEventReader {
  /// An event of an XML reader. The reader provides the event's attributes, text and position.
  @_spi(Formats) public enum Event: Hashable, Sendable {
    case startElement(Name)
    /// The end of an element, also of an empty one.
    case endElement(Name)
    /// The whole text up to the next tag, including CDATA sections, with references replaced.
    case text
    case comment
    /// A processing instruction, with its target.
    case processingInstruction(Name)

    /// The kind of an event, without the name.
    public enum Kind: UInt8, Sendable {
      case startElement, endElement, text, comment, processingInstruction
    }
  }
}

extension XMLEventReader {
  /// A number that identifies the name of an element or attribute within one reader. Names are
  /// equal if their namespaces and local parts are.
  ///
  /// Names of different readers are unrelated.
  @_spi(Formats) public struct Name: Hashable, Sendable {
    /// A small number, counting from 0, that is suitable as an array index.
    public let number: Int

    init(number: Int) { self.number = number }
  }
}

/// The names of a document.
///
/// A name has one entry for each prefix. The reader's public number is the number of the first of
/// these entries.
struct XMLNameTable {
  struct Entry {
    let local: String
    let prefix: String?
    let namespace: String?
    /// The first entry that differs only in its prefix.
    let name: XMLEventReader.Name
  }

  /// The addresses of the parts of a name, which the parser interns.
  struct Key: Equatable {
    var local: UInt
    var prefix: UInt
    var namespace: UInt

    var hash: Int {
      // Addresses are multiples of their alignment.
      let mixed = (local ^ (prefix << 7) ^ (namespace << 13)) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: mixed >> 32)
    }
  }

  private struct Expanded: Hashable {
    let local: ExactText
    let namespace: ExactText?
  }

  private(set) var entries: [Entry] = []
  /// The hash table of the entries; -1 marks an unused slot.
  private var slots = XMLNameTable.unusedSlots(64)
  private var numbers: [Expanded: XMLEventReader.Name] = [:]

  /// Returns the entry of a key; `nil` if the key is new.
  func find(_ key: Key) -> Int32? {
    var at = key.hash & (slots.count - 1)
    while slots[at].entry >= 0 {
      if slots[at].key == key { return slots[at].entry }
      at = (at + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a new key.
  mutating func insert(_ key: Key, local: String, prefix: String?, namespace: String?) -> Int32 {
    if entries.count * 2 >= slots.count { grow() }
    let number = entries.count
    let expanded = Expanded(
      local: ExactText(local), namespace: namespace.map { ExactText($0) })
    let name = numbers[expanded] ?? XMLEventReader.Name(number: number)
    numbers[expanded] = name
    entries.append(Entry(local: local, prefix: prefix, namespace: namespace, name: name))
    put(key, Int32(number))
    return Int32(number)
  }

  private static func unusedSlots(_ count: Int) -> [(key: Key, entry: Int32)] {
    Array(repeating: (Key(local: 0, prefix: 0, namespace: 0), -1), count: count)
  }

  private mutating func put(_ key: Key, _ entry: Int32) {
    var at = key.hash & (slots.count - 1)
    while slots[at].entry >= 0 { at = (at + 1) & (slots.count - 1) }
    slots[at] = (key, entry)
  }

  private mutating func grow() {
    let old = slots
    slots = Self.unusedSlots(old.count * 2)
    for (key, entry) in old where entry >= 0 { put(key, entry) }
  }
}

extension XMLEventReader {
  /// The size limits for a document. Exceeding them throws ``ProviderError/Code/limitExceeded``.
  @_spi(Formats) public struct Limits: Sendable {
    /// The maximum number of nested elements.
    public var depth: Int
    /// The maximum length, in UTF-8 bytes, of a text, an attribute's value or a comment.
    public var textLength: Int
    /// The maximum length, in bytes, of a name, a prefix or a namespace.
    public var nameLength: Int
    /// The maximum number of attributes of an element, and of namespace declarations in scope.
    public var attributeCount: Int
    /// The maximum number of different names.
    public var nameCount: Int

    public init(
      depth: Int = 256, textLength: Int = 100_000_000, nameLength: Int = 4_096,
      attributeCount: Int = 4_096, nameCount: Int = 65_536
    ) {
      self.depth = depth
      self.textLength = textLength
      self.nameLength = nameLength
      self.attributeCount = attributeCount
      self.nameCount = nameCount
    }

    /// The maximum number of bytes before the root element's start tag, which mainly limits the
    /// document type.
    static let prologLength = 1 << 20
  }
}

extension XMLEventReader {
  /// The options of an XML reader.
  @_spi(Formats) public struct Options: Sendable {
    public var limits: Limits
    /// A Boolean value that indicates whether every white space text is an event. Otherwise such a
    /// text is an event only if it is the whole content of its element.
    public var keepsWhitespace: Bool
    /// A Boolean value that indicates whether comments are events, and split text.
    public var hasComments: Bool
    /// A Boolean value that indicates whether processing instructions are events, and split text.
    public var hasProcessingInstructions: Bool

    public init(
      limits: Limits = Limits(), keepsWhitespace: Bool = false, hasComments: Bool = false,
      hasProcessingInstructions: Bool = false
    ) {
      self.limits = limits
      self.keepsWhitespace = keepsWhitespace
      self.hasComments = hasComments
      self.hasProcessingInstructions = hasProcessingInstructions
    }
  }
}
