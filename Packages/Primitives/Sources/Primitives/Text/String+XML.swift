extension String {
  /// The text, escaped as the content of an XML element or the value of an attribute.
  ///
  /// Characters that XML 1.0 does not allow are replaced with U+FFFD. Line breaks and tabs are kept, and are normalized
  /// by a reader in attributes.
  public var escapedForXML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
