/// Generates the members that `CasePathable` requires.
struct MemberWriter {
  /// The enum's name, as written.
  let enumeration: String
  private let prefix: String

  private static let module = GeneratedCode.module

  /// - Parameter access: The modifier of each member, if it needs one.
  init(enumeration: String, access: String?) {
    self.enumeration = enumeration
    prefix = access.map { $0 + " " } ?? ""
  }

  func members(for cases: CaseTree) -> [String] {
    let paths = lines(for: cases.items, indent: "  ", write: path)
    let rows = lines(for: cases.items, indent: "  ", write: row)
    return [
      (["\(prefix)nonisolated struct AllCasePaths: Swift.Sendable {"] + paths + ["}"])
        .joined(separator: "\n"),
      "\(prefix)nonisolated static var allCasePaths: AllCasePaths { AllCasePaths() }",
      (["\(prefix)nonisolated var currentCase: \(Self.module).CurrentCase {", "  switch self {"]
        + rows + ["  }", "}"])
        .joined(separator: "\n"),
    ]
  }

  private func lines(
    for items: [CaseTree.Item], indent: String, write: (EnumCase, String) -> [String]
  ) -> [String] {
    items.flatMap { item -> [String] in
      switch item {
      case .enumCase(let enumCase): return write(enumCase, indent)
      case .conditional(let clauses):
        return clauses.flatMap { clause in
          [indent + clause.head] + lines(for: clause.items, indent: indent, write: write)
        } + [indent + "#endif"]
      }
    }
  }

  /// Generates the property of ``AllCasePaths`` for a case.
  ///
  /// Expressions don't name the enum or Router's types, because a case of the same name would take
  /// precedence.
  private func path(for enumCase: EnumCase, indent: String) -> [String] {
    guard enumCase.isInstantiable else { return [] }
    let type = "\(Self.module).CasePath<\(enumeration), \(enumCase.valueType)>"
    return
      (enumCase.availability + [
        "\(prefix)var \(enumCase.name): \(type) {",
        "  .init(\(enumCase.literal), embed: { \(enumCase.embedding) }) {",
        "    if case \(enumCase.pattern) = $0 { \(enumCase.value) } else { nil }",
        "  }",
        "}",
      ]).map { indent + $0 }
  }

  private func row(for enumCase: EnumCase, indent: String) -> [String] {
    [
      "\(indent)case \(enumCase.pattern): return .init(\(enumCase.literal), \(enumCase.value))"
    ]
  }
}
