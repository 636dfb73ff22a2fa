/// Maps libxml2's error codes to Holt's messages: libxml2's messages can quote the document.
enum XMLFaults {
  static let noEntities =
    "entities are not supported, except character references and the five predefined entities"

  /// Returns whether an error can be ignored: a namespace need not be a valid URI.
  static func isHarmless(_ code: Int32) -> Bool { code == 99 || code == 100 }

  /// Returns whether the parser reached the end when it expected more.
  static func isEnd(_ code: Int32) -> Bool { code == 4 || code == 5 }

  static func isLimit(_ code: Int32) -> Bool {
    // Out of memory, a name that is too long, and the resource limit of later releases.
    code == 2 || code == 110 || code == 114
  }

  /// Returns whether an entity is undeclared, unparsed, external, a parameter entity or recursive.
  static func isEntity(_ code: Int32) -> Bool {
    (18...21).contains(code) || (24...30).contains(code) || (87...90).contains(code)
  }

  static func code(_ code: Int32) -> ProviderError.Code {
    // Unknown or unsupported encodings, and invalid bytes.
    code == 31 || code == 32 || code == 81 ? .invalidEncoding : .malformed
  }

  static func message(_ code: Int32) -> String {
    messages[code] ?? "the document is not well-formed XML (libxml2's error \(code))"
  }

  private static let messages: [Int32: String] = [
    4: "the document has no element",
    5: "unexpected content after the root element",
    6: "a character reference has no hexadecimal number",
    7: "a character reference has no number",
    8: "a character reference is not complete",
    9: "invalid XML character",
    22: "a reference is not complete",
    23: "a reference ends without a semicolon",
    33: "expected a quotation mark",
    34: "a quoted text does not end",
    35: "a namespace declaration is not complete",
    38: "an attribute's value contains <",
    39: "an attribute's value is not quoted",
    40: "an attribute's value does not end",
    41: "an attribute has no value",
    42: "an element has two attributes with the same name",
    45: "a comment does not end",
    46: "a processing instruction has no target",
    47: "a processing instruction does not end",
    56: "the XML declaration does not end",
    57: "the XML declaration is not at the beginning of the document, or is not complete",
    61: "the document type does not end",
    62: "a text contains ]]>",
    63: "a CDATA section does not end",
    64: "the name xml is reserved",
    65: "a space is missing",
    68: "a name is missing",
    73: "a > is missing",
    75: "an = is missing",
    76: "an end tag does not match its start tag",
    77: "an element does not end",
    78: "standalone is neither yes nor no",
    80: "a comment contains two hyphens",
    96: "the XML version is missing",
    108: "this XML version is not supported",
    200: "a namespace declaration is invalid",
    201: "a prefix is not declared",
    202: "a name has a colon at an invalid position",
    203: "an element has two attributes with the same name and namespace",
    204: "a prefix is declared without a namespace",
    205: "a name has a colon at an invalid position",
  ]
}

/// Counts the attributes of an incomplete tag, because libxml2 compares all pairs of them when the
/// tag is complete.
struct XMLAttributeCounter {
  /// The start of the counted tag, and the end of its counted part.
  private var start = -1
  private var offset = 0
  private var count = 0
  private var quote: UInt8 = 0
  private var isComplete = false

  /// Returns the number of attributes so far of the tag at the window's beginning; 0 if there is no
  /// tag.
  mutating func attributeCount(of window: XMLWindow) -> Int {
    if start != window.start || offset > window.bytes.count {
      self = XMLAttributeCounter()
      start = window.start
    }
    guard !isComplete, window.isAtTag else { return 0 }
    for byte in window.bytes[offset...] {
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
    offset = window.bytes.count
    return count
  }
}
