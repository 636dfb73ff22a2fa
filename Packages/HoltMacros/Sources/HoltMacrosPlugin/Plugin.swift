internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main struct HoltMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [CasePathableMacro.self, TableMacro.self]
}
