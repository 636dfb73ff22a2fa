extension StaticString {
  /// The address of the text, which identifies a literal while the program runs.
  var address: UInt { unsafe UInt(bitPattern: utf8Start) }
}
