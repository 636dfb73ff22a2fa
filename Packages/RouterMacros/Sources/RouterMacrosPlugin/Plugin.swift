internal import SwiftCompilerPlugin
internal import SwiftSyntaxMacros

@main struct RouterMacrosPlugin: CompilerPlugin {
  let providingMacros: [any Macro.Type] = [CasePathableMacro.self]
}
