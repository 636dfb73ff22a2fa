extension SPONValue {
  /// How values that JSON does not have are written in JSON, and read from it. Docs/JSON.md has the whole.
  public enum JSONStyle: Hashable, Sendable {
    /// Without loss: what JSON does not have is wrapped, as in `{"@float":1.5}`, the type name of an object
    /// is its member `"@type"`, and a key that begins with `@` gets another one. Every value that is
    /// written so is read as the same value.
    case typed
    /// As other programs write and expect it: type names are left out, data is text in Base64, instants
    /// are text of RFC 3339, and every number is a number. In what is read, no key is special.
    case plain
  }
}
