internal import SwiftDiagnostics
internal import SwiftSyntax

/// The cases of an enum, with the `#if` directives around them.
struct CaseTree {
  indirect enum Item {
    case enumCase(EnumCase)
    /// Each clause with its head, such as `#if DEBUG`.
    case conditional([(head: String, items: [Item])])
  }

  let items: [Item]
  /// The faults of the cases.
  let faults: [Diagnostic]

  init(_ declaration: EnumDeclSyntax) {
    items = Self.items(of: declaration.memberBlock.members, in: declaration)
    var faults: [Diagnostic] = []
    var known: [String: TokenSyntax] = [:]
    Self.collectNames(
      of: declaration.memberBlock.members, in: declaration, known: &known, faults: &faults)
    self.faults = faults
  }

  private static func items(
    of members: MemberBlockItemListSyntax, in declaration: EnumDeclSyntax
  ) -> [Item] {
    members.flatMap { member -> [Item] in
      if let line = member.decl.as(EnumCaseDeclSyntax.self) {
        let attributes = line.attributes.availability
        guard !attributes.contains(where: \.isUnavailableEverywhere) else { return [] }
        let availability = attributes.map(\.trimmedDescription)
        return line.elements.map {
          .enumCase(EnumCase($0, availability: availability, in: declaration))
        }
      }
      guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return [] }
      let clauses = conditional.clauses.map { clause in
        let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
        return (
          head: clause.poundKeyword.text + condition,
          items: items(of: clause.members, in: declaration)
        )
      }
      return clauses.contains { !$0.items.isEmpty } ? [.conditional(clauses)] : []
    }
  }

  /// Looks for names that two cases of one build have. Clauses of the same `#if` are never in one
  /// build.
  private static func collectNames(
    of members: MemberBlockItemListSyntax, in declaration: EnumDeclSyntax,
    known: inout [String: TokenSyntax], faults: inout [Diagnostic]
  ) {
    for member in members {
      if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
        let before = known
        for clause in conditional.clauses {
          var names = before
          collectNames(of: clause.members, in: declaration, known: &names, faults: &faults)
          known.merge(names) { first, _ in first }
        }
      }
      for element in member.decl.as(EnumCaseDeclSyntax.self)?.elements ?? [] {
        let name = element.name.identifier?.name ?? element.name.text
        if let first = known[name] {
          faults.append(.twoCases(named: element.name, first: first, of: declaration))
        } else {
          known[name] = element.name
        }
      }
    }
  }
}

extension IfConfigClauseSyntax {
  /// The declarations within the clause.
  var members: MemberBlockItemListSyntax {
    if case .decls(let members) = elements { members } else { [] }
  }
}

extension AttributeListSyntax {
  /// The `@available` attributes.
  var availability: [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }
      .filter { $0.attributeName.trimmedDescription == "available" }
  }
}

extension AttributeSyntax {
  /// Indicates whether the attribute is `@available(*, unavailable)`.
  fileprivate var isUnavailableEverywhere: Bool {
    guard case .availability(let arguments) = arguments else { return false }
    let words = arguments.map { $0.argument.trimmedDescription }
    return words.first == "*" && words.contains("unavailable")
  }
}
