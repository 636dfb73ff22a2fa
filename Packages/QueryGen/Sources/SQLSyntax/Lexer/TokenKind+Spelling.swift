extension TokenKind {
  /// How the token is written, where it has one way: `(`, `SELECT`. `nil` for names and literals.
  public var spelling: String? {
    switch self {
    case .semicolon: ";"
    case .leftParenthesis: "("
    case .rightParenthesis: ")"
    case .comma: ","
    case .dot: "."
    case .colon: ":"
    case .star: "*"
    case .plus: "+"
    case .minus: "-"
    case .slash: "/"
    case .percent: "%"
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    case .shiftLeft: "<<"
    case .shiftRight: ">>"
    case .ampersand: "&"
    case .bar: "|"
    case .concatenate: "||"
    case .tilde: "~"
    case .arrow: "->"
    case .doubleArrow: "->>"
    default: KeywordTable.all.first { $0.kind == self }?.text.description
    }
  }
}
