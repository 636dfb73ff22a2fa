extension XMLEventReader {
  /// What a reader of XML has come to. The reader has the rest: attributes, text, place.
  @_spi(Formats) public enum Event: Hashable, Sendable {
    case startElement(Name)
    /// The end of an element, of an empty one too.
    case endElement(Name)
    /// All the text up to the next tag: of CDATA sections too, and with references replaced.
    case text
    case comment
    /// An instruction, by its target.
    case processingInstruction(Name)

    /// The same without the name.
    public enum Kind: UInt8, Sendable {
      case startElement, endElement, text, comment, processingInstruction
    }
  }
}

extension XMLEventReader {
  /// A name of elements and attributes, as one reader numbers it: equal where namespace and local part are.
  ///
  /// Names of different readers have nothing to do with each other.
  @_spi(Formats) public struct Name: Hashable, Sendable {
    /// Small and from 0, so that it can be the index of an array.
    public let number: Int

    init(number: Int) { self.number = number }
  }
}

/// The names of a document by their numbers.
///
/// A name with a prefix is kept once for each prefix that it has. The numbers that a reader shows are those
/// of the first of these.
struct XMLNameTable {
  struct Entry {
    let local: String
    let prefix: String?
    let namespace: String?
    /// The first entry that differs by its prefix alone.
    let name: XMLEventReader.Name
  }

  /// The addresses of the parts of a name, which the parser has once each.
  struct Key: Equatable {
    var local: UInt
    var prefix: UInt
    var namespace: UInt

    var hash: Int {
      // Addresses are multiples of a few bytes at least, and of many at most.
      let mixed = (local ^ (prefix << 7) ^ (namespace << 13)) &* 0x9E37_79B9_7F4A_7C15
      return Int(truncatingIfNeeded: mixed >> 32)
    }
  }

  private struct Slot {
    var key = Key(local: 0, prefix: 0, namespace: 0)
    var entry: Int32 = -1
  }

  private struct Expanded: Hashable {
    let local: ExactText
    let namespace: ExactText?
  }

  private(set) var entries: [Entry] = []
  private var slots = [Slot](repeating: Slot(), count: 64)
  private var numbers: [Expanded: XMLEventReader.Name] = [:]

  /// The entry of a key; `nil` where it is a new one.
  func find(_ key: Key) -> Int32? {
    var at = key.hash & (slots.count - 1)
    while slots[at].entry >= 0 {
      if slots[at].key == key { return slots[at].entry }
      at = (at + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Adds a key that is not there.
  mutating func insert(_ key: Key, local: String, prefix: String?, namespace: String?) -> Int32 {
    if entries.count * 2 >= slots.count { grow() }
    let number = entries.count
    let expanded = Expanded(
      local: ExactText(local), namespace: namespace.map { ExactText($0) })
    let name = numbers[expanded] ?? XMLEventReader.Name(number: number)
    numbers[expanded] = name
    entries.append(Entry(local: local, prefix: prefix, namespace: namespace, name: name))
    put(Slot(key: key, entry: Int32(number)))
    return Int32(number)
  }

  private mutating func put(_ slot: Slot) {
    var at = slot.key.hash & (slots.count - 1)
    while slots[at].entry >= 0 { at = (at + 1) & (slots.count - 1) }
    slots[at] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.entry >= 0 { put(slot) }
  }
}

extension XMLEventReader {
  /// How large a document may be that is read. What is larger is refused, ``ProviderError/Code/limitExceeded``.
  @_spi(Formats) public struct Limits: Sendable {
    /// The most elements that are open at once.
    public var depth: Int
    /// The most bytes, as UTF-8, of one text, of one attribute's value and of one comment.
    public var textLength: Int
    /// The most bytes of a name, of a prefix and of a namespace.
    public var nameLength: Int
    /// The most attributes of one element, and the most namespaces that are declared at once.
    public var attributeCount: Int
    /// The most names that differ.
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

    /// The most bytes before the end of the first start tag's beginning: of a document type, above all.
    static let prologLength = 1 << 20
  }
}

extension XMLEventReader {
  /// What is read of a document, and how much.
  @_spi(Formats) public struct Options: Sendable {
    public var limits: Limits
    /// Whether texts that are white space alone are events wherever they stand. Otherwise such a text is
    /// one only where it is all that its element has.
    public var keepsWhitespace: Bool
    /// Whether comments are events, and divide texts.
    public var hasComments: Bool
    /// Whether processing instructions are events, and divide texts.
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
