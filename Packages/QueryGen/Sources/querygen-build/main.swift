// What the build plugin runs. Its arguments are fixed, so that it needs no package but this one:
//
//   querygen-build <folder with Migrations, Queries and querygen.yaml> <output folder> <module>
//
// The module is the one that generated code imports, unless querygen.yaml says another.
//
// Its output is read by build systems, which look for `path:line:column: error: message`.
import Foundation
import QueryGenDriver

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: querygen-build FOLDER OUTPUT MODULE\n".utf8))
  exit(64)
}
let options = DriverOptions(
  path: arguments[0], output: arguments[1], usualRuntimeModule: arguments[2], usesFixedNames: true)
let outcome = Driver(options).generate()
FileHandle.standardError.write(Data(outcome.report.utf8))
exit(outcome.exitCode)
