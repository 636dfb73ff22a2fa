internal import Primitives
internal import QueryGenDriver
internal import QueryModel
internal import SQLSemantics
public import SQLSyntax

/// The signatures of a call, and the argument that is being typed.
public struct CallSignatures: Hashable, Sendable {
  public struct Signature: Hashable, Sendable {
    public var label: String
    public var parameters: [String]
  }

  public var signatures: [Signature]
  public var active: Int
  public var argument: Int
}

extension LanguageProject {
  /// Returns the signatures of the function, or the columns of the `VALUES`, around an offset.
  public mutating func callSignatures(_ path: String, at offset: ByteOffset) -> CallSignatures? {
    replay()
    guard let (source, all) = tokens(path), let statement = all.statement(at: offset) else {
      return nil
    }
    let tokens = all.tokens[statement].filter { $0.span.end <= offset }
    var depth = 0
    var argument = 0
    for index in tokens.indices.reversed() {
      switch tokens[index].kind {
      case .rightParenthesis: depth += 1
      case .leftParenthesis where depth > 0: depth -= 1
      case .comma where depth == 0: argument += 1
      case .leftParenthesis:
        guard index > 0 else { return nil }
        let before = tokens[index - 1]
        // The second row of `VALUES` follows a comma.
        if before.kind == .values || before.kind == .comma {
          return values(tokens, until: index, source, argument: argument)
        }
        guard before.isWord else { return nil }
        let functions = catalog.functionDescriptions(named: source.unquoted(before.span))
        guard !functions.isEmpty else { return nil }
        let signatures = functions.map { function -> CallSignatures.Signature in
          let label = function.signature
          let list = label.drop { $0 != "(" }.dropFirst().dropLast()
          let parameters = list.replacing("[", with: "").replacing("]", with: "")
            .split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init)
          return CallSignatures.Signature(label: label, parameters: parameters)
        }
        let active =
          functions.firstIndex { ($0.maximumArguments ?? .max) > argument } ?? 0
        return CallSignatures(signatures: signatures, active: active, argument: argument)
      default: break
      }
    }
    return nil
  }

  private func values(
    _ tokens: [Token], until index: Int, _ source: SourceText, argument: Int
  ) -> CallSignatures? {
    guard let into = tokens[..<index].firstIndex(where: { $0.kind == .into }),
      tokens[..<index].contains(where: { $0.kind == .values }), into + 1 < index
    else { return nil }
    let table = source.unquoted(tokens[into + 1].span)
    var columns: [String] = []
    if tokens[into + 2].kind == .leftParenthesis {
      for token in tokens[(into + 3)..<index] {
        if token.kind == .rightParenthesis { break }
        if token.isWord { columns.append(source.unquoted(token.span)) }
      }
    } else {
      columns =
        compilation.project.tables.first { $0.name.asciiLowercased == table.asciiLowercased }?
        .columns.map(\.name) ?? []
    }
    guard !columns.isEmpty else { return nil }
    let label = "\(table)(\(columns.joined(separator: ", ")))"
    return CallSignatures(
      signatures: [CallSignatures.Signature(label: label, parameters: columns)], active: 0,
      argument: argument)
  }
}
