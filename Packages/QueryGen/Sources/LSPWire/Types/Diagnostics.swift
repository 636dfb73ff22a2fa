extension LSP {
  public struct Diagnostic: Hashable, Sendable, Codable {
    public struct RelatedInformation: Hashable, Sendable, Codable {
      public var location: Location
      public var message: String

      public init(location: Location, message: String) {
        self.location = location
        self.message = message
      }
    }

    public var range: Range
    /// 1: error, 2: warning, 3: information, 4: hint.
    public var severity: Int?
    public var code: JSONValue?
    public var source: String?
    public var message: String
    /// 1: unnecessary, 2: deprecated.
    public var tags: [Int]?
    public var relatedInformation: [RelatedInformation]?

    public init(
      range: Range, severity: Int, code: String, source: String, message: String,
      tags: [Int]? = nil, relatedInformation: [RelatedInformation]? = nil
    ) {
      self.range = range
      self.severity = severity
      self.code = .string(code)
      self.source = source
      self.message = message
      self.tags = tags
      self.relatedInformation = relatedInformation
    }
  }

  public struct PublishDiagnosticsParams: Hashable, Sendable, Codable {
    public var uri: String
    public var version: Int?
    public var diagnostics: [Diagnostic]

    public init(uri: String, version: Int?, diagnostics: [Diagnostic]) {
      self.uri = uri
      self.version = version
      self.diagnostics = diagnostics
    }
  }

  public struct DocumentDiagnosticReport: Hashable, Sendable, Codable {
    public var kind = "full"
    public var items: [Diagnostic]
    public init(items: [Diagnostic]) { self.items = items }
  }
}
