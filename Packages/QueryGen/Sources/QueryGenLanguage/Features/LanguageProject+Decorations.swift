internal import Primitives
internal import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
public import SQLSyntax
internal import SwiftEmitter

/// A token with its meaning, for colours.
public struct SemanticToken: Hashable, Sendable {
  public enum Kind: Int, Hashable, Sendable, CaseIterable {
    case keyword, table, view, column, alias, commonTable, parameter, function, string, number
    case `operator`, comment, query
  }

  public var span: ByteSpan
  public var kind: Kind
  public var isDeclaration = false
  public var isNullable = false
}

/// A text that an editor shows within a line.
public struct InlayHint: Hashable, Sendable {
  public var offset: ByteOffset
  public var text: String
  public var isParameter: Bool
}

/// A line that an editor shows above a query.
public struct QueryLens: Hashable, Sendable {
  public var span: ByteSpan
  public var title: String
  /// The query whose plan the line shows; `nil` for a signature.
  public var plannedQuery: String?
}

extension LanguageProject {
  // MARK: Tokens

  /// Returns the tokens of a file in order, classified by the names' meaning.
  public mutating func semanticTokens(_ path: String) -> [SemanticToken] {
    guard let (_, tokens) = tokens(path) else { return [] }
    let trace = trace(path)
    var names: [ByteOffset: SemanticToken] = [:]
    for entry in trace.entries {
      for reference in entry.trace.references {
        names[reference.span.start] = SemanticToken(
          span: reference.span, kind: reference.role.tokenKind,
          isDeclaration: reference.isDeclaration,
          isNullable: reference.role == .column && reference.isNullable)
      }
      if let name = entry.query?.name {
        names[name.span.start] = SemanticToken(span: name.span, kind: .query, isDeclaration: true)
      }
    }
    var found: [SemanticToken] = tokens.comments.map { SemanticToken(span: $0, kind: .comment) }
    // The name of a query in a comment is part of the comment.
    for token in tokens.tokens {
      if let name = names[token.span.start] {
        found.append(name)
      } else if let kind = SemanticToken.Kind(token.kind) {
        found.append(SemanticToken(span: token.span, kind: kind))
      }
    }
    return found.sorted { $0.span.start < $1.span.start }
  }

  // MARK: Hints

  /// Returns the Swift types of the result columns and the parameters of a file's queries.
  public mutating func hints(_ path: String, in span: ByteSpan) -> [InlayHint] {
    guard case .queries(let index) = kind(of: path) else { return [] }
    let trace = trace(path)
    let signatures = signatures(at: index)
    let definitions = Dictionary(
      compilation.definitions(at: index).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    var hints: [InlayHint] = []
    for entry in trace.entries where entry.span.start < span.end && span.start < entry.span.end {
      guard let name = entry.query?.name.text, let signature = signatures[name],
        let definition = definitions[name]
      else { continue }
      let types = columnTypes(signature, definition, entry.trace)
      for (column, type) in zip(entry.trace.columns, types) where entry.isLast {
        guard let place = column.span else { continue }
        hints.append(InlayHint(offset: place.end, text: ": \(type)", isParameter: false))
      }
      for (parameter, value) in zip(definition.parameters, signature.parameters) {
        guard
          let place = entry.trace.parameters.first(where: { $0.index == parameter.index })?.spans
            .first, entry.span.contains(place.start)
        else { continue }
        // A parameter without a name gets one in Swift.
        let label = trace.source[place] == "?" ? "\(value.name): " : ": "
        hints.append(
          InlayHint(offset: place.end, text: label + value.type, isParameter: true))
      }
    }
    return hints.filter { span.start <= $0.offset && $0.offset <= span.end }
      .sorted { $0.offset < $1.offset }
  }

  /// The Swift types of the result's columns; empty if they are not known.
  private func columnTypes(
    _ signature: SwiftSignature, _ definition: QueryDefinition, _ trace: StatementTrace
  ) -> [String] {
    if signature.row.count == trace.columns.count { return signature.row.map(\.type) }
    guard case .columns(let columns) = definition.result, columns.count == 1 else { return [] }
    var type = signature.output
    if type.hasPrefix("["), definition.cardinality == .many {
      type = String(type.dropFirst().dropLast())
    }
    return [type]
  }

  // MARK: Lenses

  /// Returns the Swift signatures of a file's queries, and their plans as far as they are known.
  public mutating func lenses(_ path: String) -> [QueryLens] {
    guard case .queries(let index) = kind(of: path) else { return [] }
    let signatures = signatures(at: index)
    var lenses: [QueryLens] = []
    for query in queries(at: index) {
      guard let signature = signatures[query.name.text] else { continue }
      lenses.append(QueryLens(span: query.name.span, title: signature.text))
      guard let plans = plans(of: query.name.text, in: path),
        let plan = plans.first(where: { !$0.tree.steps.isEmpty })
      else { continue }
      let others = plans.count > 1 ? " (\(plans.count) plans)" : ""
      lenses.append(
        QueryLens(
          span: query.name.span, title: plan.tree.line + others, plannedQuery: query.name.text))
    }
    return lenses
  }
}

extension NameReference.Role {
  fileprivate var tokenKind: SemanticToken.Kind {
    switch self {
    case .table: .table
    case .view: .view
    case .column: .column
    case .alias, .resultAlias, .window, .row: .alias
    case .commonTable: .commonTable
    case .function: .function
    case .collation: .keyword
    }
  }
}

extension SemanticToken.Kind {
  /// Creates the kind of a token that is not a resolved name.
  fileprivate init?(_ kind: TokenKind) {
    switch kind {
    case .integer, .real: self = .number
    case .string, .blob: self = .string
    case .parameter: self = .parameter
    case .plus, .minus, .star, .slash, .percent, .equal, .notEqual, .less, .lessOrEqual, .greater,
      .greaterOrEqual, .shiftLeft, .shiftRight, .ampersand, .bar, .concatenate, .tilde, .arrow,
      .doubleArrow:
      self = .operator
    case _ where kind.isKeyword: self = .keyword
    default: return nil
    }
  }
}
