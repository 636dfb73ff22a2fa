/// The codes of libxml2's errors, in Holt's words: its own messages may quote the document.
enum XMLFaults {
  static let noEntities =
    "entities are neither declared nor followed; characters by their numbers and the five of XML are"

  /// Whether an error is none: a namespace need not be the address of anything.
  static func isHarmless(_ code: Int32) -> Bool { code == 99 || code == 100 }

  /// Whether the parser found the end where it expected something.
  static func isEnd(_ code: Int32) -> Bool { code == 4 || code == 5 }

  static func isLimit(_ code: Int32) -> Bool {
    // No memory, a name that is too long, and what later releases have: a limit of its own.
    code == 2 || code == 110 || code == 114
  }

  /// An entity that is not declared, is unparsed, external or of parameters, or refers to itself.
  static func isEntity(_ code: Int32) -> Bool {
    (18...21).contains(code) || (24...30).contains(code) || (87...90).contains(code)
  }

  static func code(_ code: Int32) -> ProviderError.Code {
    // Unknown or unsupported encodings, and bytes that are not of one.
    code == 31 || code == 32 || code == 81 ? .invalidEncoding : .malformed
  }

  static func message(_ code: Int32) -> String {
    messages[code] ?? "the document is not well-formed XML (libxml2's error \(code))"
  }

  private static let messages: [Int32: String] = [
    4: "the document has no element",
    5: "there is something behind the end of the root element",
    6: "a reference to a character has no hexadecimal number",
    7: "a reference to a character has no number",
    8: "a reference to a character is not complete",
    9: "there is a character that XML does not allow",
    22: "a reference is not complete",
    23: "a reference ends without a semicolon",
    33: "a text in quotation marks does not begin",
    34: "a text in quotation marks does not end",
    35: "a declaration of a namespace is not complete",
    38: "there is a < in the value of an attribute",
    39: "the value of an attribute is not in quotation marks",
    40: "the value of an attribute does not end",
    41: "an attribute has no value",
    42: "an element has two attributes of one name",
    45: "a comment does not end",
    46: "a processing instruction has no target",
    47: "a processing instruction does not end",
    56: "the declaration of XML does not end",
    57: "the declaration of XML is not where the document begins, or is not complete",
    61: "the document type does not end",
    62: "there is a ]]> in a text",
    63: "a CDATA section does not end",
    64: "the name xml is reserved",
    65: "a space is missing",
    68: "a name is missing",
    73: "a > is missing",
    75: "an = is missing",
    76: "an element's end has another name than its beginning",
    77: "an element does not end",
    78: "standalone is neither yes nor no",
    80: "a comment has two hyphens in it",
    96: "the version of XML is missing",
    108: "this version of XML is not read",
    200: "a namespace is declared as XML does not allow",
    201: "a prefix has no namespace",
    202: "a name has a colon where none can be",
    203: "an element has two attributes of one name and namespace",
    204: "a prefix is declared without a namespace",
    205: "a name has a colon where none can be",
  ]
}

/// Counts the attributes of a tag that is not complete yet: libxml2 would compare each with each once it is.
struct XMLTagGuard {
  /// Where the tag begins that was counted, and how far it was.
  private var start = -1
  private var place = 0
  private var count = 0
  private var quote: UInt8 = 0
  private var isComplete = false

  /// How many attributes the tag at the window's beginning has so far; 0 where there is none.
  mutating func attributeCount(of window: XMLWindow) -> Int {
    if start != window.start || place > window.bytes.count {
      self = XMLTagGuard()
      start = window.start
    }
    guard !isComplete, window.isAtTag else { return 0 }
    for byte in window.bytes[place...] {
      if quote != 0 {
        if byte == quote { quote = 0 }
        continue
      }
      switch byte {
      case 0x22, 0x27: quote = byte
      case 0x3D: count += 1
      case 0x3E:
        isComplete = true
        return count
      default: break
      }
    }
    place = window.bytes.count
    return count
  }
}
