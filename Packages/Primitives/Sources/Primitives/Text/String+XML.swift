extension String {
  /// The text, escaped as the content of an XML element or the value of an attribute.
  ///
  /// Characters that XML 1.0 does not allow are replaced with U+FFFD. Tabs and line breaks become
  /// character references, which readers preserve also in attributes.
  public var escapedForXML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      if let byte = UInt8(exactly: scalar.value),
        let reference = byte.xmlReference(inAttribute: true)
      {
        escaped += reference
        continue
      }
      switch scalar {
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension UInt8 {
  /// The reference that must replace an ASCII character in XML; `nil` if a reader preserves the character itself.
  ///
  /// - Parameter inAttribute: Whether the character is in an attribute's value, between quotation marks.
  public func xmlReference(inAttribute: Bool) -> String? {
    switch self {
    case 0x26: "&amp;"
    case 0x3C: "&lt;"
    // Text must not contain `]]>`.
    case 0x3E: "&gt;"
    // Readers normalize carriage returns to line feeds, and in attributes all white space to spaces.
    case 0x0D: "&#13;"
    case 0x22 where inAttribute: "&quot;"
    case 0x09 where inAttribute: "&#9;"
    case 0x0A where inAttribute: "&#10;"
    default: nil
    }
  }
}
