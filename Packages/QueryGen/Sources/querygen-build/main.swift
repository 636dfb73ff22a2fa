// The executable of the build plugin. Its arguments are positional, so that it has no dependencies
// outside this package:
//
//   querygen-build <folder with Migrations, Queries and querygen.yaml> <output folder> <module>
//
// Generated code imports the module, unless querygen.yaml names another one.
//
// Build systems parse the output, which has the form `path:line:column: error: message`.
import Foundation
import QueryGenDriver

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("usage: querygen-build FOLDER OUTPUT MODULE\n".utf8))
  exit(64)
}
let options = DriverOptions(
  path: arguments[0], output: arguments[1], defaultRuntimeModule: arguments[2],
  usesFixedFileNames: true)
let outcome = Driver(options).generate()
FileHandle.standardError.write(Data(outcome.report.utf8))
exit(outcome.exitCode)
