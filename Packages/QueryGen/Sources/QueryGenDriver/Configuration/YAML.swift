internal import SQLSyntax

/// A value of the part of YAML that configurations need, and where it stands.
///
/// There are mappings, sequences and scalars; the flow forms `[a, b]` and `{a: b}` stand on one line.
/// Anchors, tags, several documents and texts of several lines are refused, as everything is that
/// could be read in two ways.
struct YAML {
  indirect enum Value {
    /// A text; without quotes it may also stand for a number or a truth value.
    case scalar(String, isQuoted: Bool)
    case sequence([YAML])
    case mapping([Entry])
    /// Nothing, `null` or `~`.
    case null
  }

  /// A key and its value.
  struct Entry {
    var key: String
    var keySpan: ByteSpan
    var value: YAML
  }

  var value: Value
  var span: ByteSpan

  /// What it is, in the words of a message.
  var kindName: String {
    switch value {
    case .scalar: "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .null: "nothing"
    }
  }
}

/// The text is not of the part of YAML that is read; the diagnostic says why.
struct YAMLFailure: Error {}

extension Diagnostic.Identity {
  /// A configuration is not of the part of YAML that is read.
  static let malformedYAML = Self(rawValue: "malformed-yaml")
  /// A key stands twice in a mapping.
  static let duplicateKey = Self(rawValue: "duplicate-key")
}
