extension LSP {
  public struct InitializeParams: Hashable, Sendable, Codable {
    public struct ClientInfo: Hashable, Sendable, Codable {
      public var name: String
      public var version: String?
    }

    public var processId: Int?
    public var clientInfo: ClientInfo?
    public var rootUri: String?
    public var rootPath: String?
    public var workspaceFolders: [WorkspaceFolder]?
    public var capabilities: JSONValue
    public var initializationOptions: JSONValue?
  }

  public struct InitializeResult: Hashable, Sendable, Codable {
    public struct ServerInfo: Hashable, Sendable, Codable {
      public var name: String
      public var version: String
    }

    public var capabilities: ServerCapabilities
    public var serverInfo: ServerInfo

    public init(capabilities: ServerCapabilities, name: String, version: String) {
      self.capabilities = capabilities
      serverInfo = ServerInfo(name: name, version: version)
    }
  }

  public struct ServerCapabilities: Hashable, Sendable, Codable {
    public struct TextDocumentSync: Hashable, Sendable, Codable {
      public struct Save: Hashable, Sendable, Codable {
        public var includeText: Bool
      }
      public var openClose = true
      /// 1: the whole document; 2: only changes.
      public var change = 2
      public var save = Save(includeText: false)
    }

    public struct CompletionOptions: Hashable, Sendable, Codable {
      public var triggerCharacters: [String]
      public var resolveProvider: Bool
      public init(triggerCharacters: [String], resolveProvider: Bool) {
        self.triggerCharacters = triggerCharacters
        self.resolveProvider = resolveProvider
      }
    }

    public struct SignatureHelpOptions: Hashable, Sendable, Codable {
      public var triggerCharacters: [String]
      public init(triggerCharacters: [String]) { self.triggerCharacters = triggerCharacters }
    }

    public struct CodeActionOptions: Hashable, Sendable, Codable {
      public var codeActionKinds: [String]
      public init(codeActionKinds: [String]) { self.codeActionKinds = codeActionKinds }
    }

    public struct CodeLensOptions: Hashable, Sendable, Codable {
      public var resolveProvider = false
      public init() {}
    }

    public struct ExecuteCommandOptions: Hashable, Sendable, Codable {
      public var commands: [String]
      public init(commands: [String]) { self.commands = commands }
    }

    public struct RenameOptions: Hashable, Sendable, Codable {
      public var prepareProvider = true
      public init() {}
    }

    public struct OnTypeFormattingOptions: Hashable, Sendable, Codable {
      public var firstTriggerCharacter = ";"
      public init() {}
    }

    public struct SemanticTokensOptions: Hashable, Sendable, Codable {
      public struct Legend: Hashable, Sendable, Codable {
        public var tokenTypes: [String]
        public var tokenModifiers: [String]
      }
      public struct Full: Hashable, Sendable, Codable { public var delta = true }
      public var legend: Legend
      public var range = true
      public var full = Full()
      public init(types: [String], modifiers: [String]) {
        legend = Legend(tokenTypes: types, tokenModifiers: modifiers)
      }
    }

    public struct Workspace: Hashable, Sendable, Codable {
      public struct Folders: Hashable, Sendable, Codable {
        public var supported = true
        public var changeNotifications = true
      }
      public var workspaceFolders = Folders()
    }

    public var positionEncoding: String
    public var textDocumentSync = TextDocumentSync()
    public var hoverProvider: Bool?
    public var completionProvider: CompletionOptions?
    public var signatureHelpProvider: SignatureHelpOptions?
    public var declarationProvider: Bool?
    public var definitionProvider: Bool?
    public var referencesProvider: Bool?
    public var documentHighlightProvider: Bool?
    public var documentSymbolProvider: Bool?
    public var workspaceSymbolProvider: Bool?
    public var codeActionProvider: CodeActionOptions?
    public var codeLensProvider: CodeLensOptions?
    public var documentFormattingProvider: Bool?
    public var documentRangeFormattingProvider: Bool?
    public var documentOnTypeFormattingProvider: OnTypeFormattingOptions?
    public var renameProvider: RenameOptions?
    public var foldingRangeProvider: Bool?
    public var selectionRangeProvider: Bool?
    public var semanticTokensProvider: SemanticTokensOptions?
    public var inlayHintProvider: Bool?
    public var executeCommandProvider: ExecuteCommandOptions?
    public var workspace = Workspace()

    public init(positionEncoding: String) { self.positionEncoding = positionEncoding }
  }

  public struct Registration: Hashable, Sendable, Codable {
    public var id: String
    public var method: String
    public var registerOptions: JSONValue?

    public init(id: String, method: String, registerOptions: JSONValue? = nil) {
      self.id = id
      self.method = method
      self.registerOptions = registerOptions
    }
  }

  public struct RegistrationParams: Hashable, Sendable, Codable {
    public var registrations: [Registration]
    public init(registrations: [Registration]) { self.registrations = registrations }
  }

  /// The parameters of `window/logMessage` and `window/showMessage`.
  public struct LogMessageParams: Hashable, Sendable, Codable {
    /// 1: error, 2: warning, 3: information, 4: log.
    public var type: Int
    public var message: String

    public init(type: Int, message: String) {
      self.type = type
      self.message = message
    }
  }
}
