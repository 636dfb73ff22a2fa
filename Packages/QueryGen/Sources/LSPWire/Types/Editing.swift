extension LSP {
  public struct CompletionItem: Hashable, Sendable, Codable {
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
      public let rawValue: Int
      public init(rawValue: Int) { self.rawValue = rawValue }

      public static let function = Kind(rawValue: 3)
      public static let field = Kind(rawValue: 5)
      public static let variable = Kind(rawValue: 6)
      public static let interface = Kind(rawValue: 8)
      public static let value = Kind(rawValue: 12)
      public static let keyword = Kind(rawValue: 14)
      public static let snippet = Kind(rawValue: 15)
      public static let structure = Kind(rawValue: 22)
    }

    public var label: String
    public var kind: Kind
    public var detail: String?
    public var documentation: MarkupContent?
    public var sortText: String?
    public var filterText: String?
    /// 1: plain text, 2: snippet.
    public var insertTextFormat: Int?
    public var textEdit: TextEdit?
    public var data: JSONValue?

    public init(
      label: String, kind: Kind, detail: String?, sortText: String, filterText: String?,
      textEdit: TextEdit, isSnippet: Bool, data: JSONValue?
    ) {
      self.label = label
      self.kind = kind
      self.detail = detail
      self.sortText = sortText
      self.filterText = filterText
      self.textEdit = textEdit
      insertTextFormat = isSnippet ? 2 : nil
      self.data = data
    }
  }

  public struct CompletionList: Hashable, Sendable, Codable {
    public var isIncomplete: Bool
    public var items: [CompletionItem]

    public init(isIncomplete: Bool, items: [CompletionItem]) {
      self.isIncomplete = isIncomplete
      self.items = items
    }
  }

  public struct SignatureHelp: Hashable, Sendable, Codable {
    public struct Signature: Hashable, Sendable, Codable {
      public struct Parameter: Hashable, Sendable, Codable {
        public var label: String
        public init(label: String) { self.label = label }
      }
      public var label: String
      public var documentation: MarkupContent?
      public var parameters: [Parameter]
      public init(label: String, documentation: MarkupContent?, parameters: [Parameter]) {
        self.label = label
        self.documentation = documentation
        self.parameters = parameters
      }
    }

    public var signatures: [Signature]
    public var activeSignature: Int
    public var activeParameter: Int

    public init(signatures: [Signature], activeSignature: Int, activeParameter: Int) {
      self.signatures = signatures
      self.activeSignature = activeSignature
      self.activeParameter = activeParameter
    }
  }

  public struct RenameParams: Hashable, Sendable, Codable {
    public var textDocument: TextDocumentIdentifier
    public var position: Position
    public var newName: String
  }

  public struct PrepareRenameResult: Hashable, Sendable, Codable {
    public var range: Range
    public var placeholder: String

    public init(range: Range, placeholder: String) {
      self.range = range
      self.placeholder = placeholder
    }
  }

  public struct TextDocumentEdit: Hashable, Sendable, Codable {
    public var textDocument: OptionalVersionedTextDocumentIdentifier
    public var edits: [TextEdit]

    public init(textDocument: OptionalVersionedTextDocumentIdentifier, edits: [TextEdit]) {
      self.textDocument = textDocument
      self.edits = edits
    }
  }

  public struct CreateFile: Hashable, Sendable, Codable {
    public var kind = "create"
    public var uri: String
    public var annotationId: String?

    public init(uri: String, annotationId: String?) {
      self.uri = uri
      self.annotationId = annotationId
    }
  }

  public enum DocumentChange: Hashable, Sendable, Encodable {
    case edit(TextDocumentEdit)
    case create(CreateFile)

    public func encode(to encoder: any Encoder) throws {
      switch self {
      case .edit(let edit): try edit.encode(to: encoder)
      case .create(let file): try file.encode(to: encoder)
      }
    }
  }

  public struct WorkspaceEdit: Hashable, Sendable, Encodable {
    public struct Annotation: Hashable, Sendable, Codable {
      public var label: String
      public var needsConfirmation: Bool
      public var description: String?

      public init(label: String, needsConfirmation: Bool, description: String?) {
        self.label = label
        self.needsConfirmation = needsConfirmation
        self.description = description
      }
    }

    public var changes: [String: [TextEdit]]?
    public var documentChanges: [DocumentChange]?
    public var changeAnnotations: [String: Annotation]?

    public init(
      changes: [String: [TextEdit]]? = nil, documentChanges: [DocumentChange]? = nil,
      changeAnnotations: [String: Annotation]? = nil
    ) {
      self.changes = changes
      self.documentChanges = documentChanges
      self.changeAnnotations = changeAnnotations
    }
  }

  public struct CodeActionParams: Hashable, Sendable, Codable {
    public struct Context: Hashable, Sendable, Codable {
      public var diagnostics: [Diagnostic]
      public var only: [String]?
    }
    public var textDocument: TextDocumentIdentifier
    public var range: Range
    public var context: Context
  }

  public struct CodeAction: Hashable, Sendable, Encodable {
    public var title: String
    public var kind: String
    public var diagnostics: [Diagnostic]?
    public var isPreferred: Bool?
    public var edit: WorkspaceEdit

    public init(
      title: String, kind: String, diagnostics: [Diagnostic]?, isPreferred: Bool?,
      edit: WorkspaceEdit
    ) {
      self.title = title
      self.kind = kind
      self.diagnostics = diagnostics
      self.isPreferred = isPreferred
      self.edit = edit
    }
  }
}
