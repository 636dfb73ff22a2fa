import Foundation
import QueryGenTestSupport
import Testing

@testable import QueryGenDriver

@Suite struct `The command of the build plugin` {
  private struct Result {
    var exitCode: Int32
    var output: String
  }

  /// Runs `querygen-build`, which is in the folder of the tests; `nil` if it was not built.
  private func run(_ arguments: [String]) throws -> Result? {
    let tool = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "querygen-build")
    guard FileManager.default.isExecutableFile(atPath: tool.path(percentEncoded: false)) else {
      print("skipped: querygen-build was not built")
      return nil
    }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = tool
    process.arguments = arguments
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      exitCode: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
  }

  private func run(in workspace: Workspace, module: String = "QueryGen") throws -> Result? {
    try run([workspace.path, workspace.path + "/Generated", module])
  }

  @Test func `writes the files without output`() throws {
    let workspace = try Workspace.todo()
    guard let result = try run(in: workspace) else { return }
    #expect(result.exitCode == 0)
    #expect(result.output == "")
    #expect(workspace.generated == ["DB.generated.swift", "Todo.queries.swift"])
  }

  @Test func `exits with 1 if there is an error, and does not change the files`() throws {
    let workspace = try Workspace.todo()
    _ = workspace.driver.generate()
    let before = try workspace.read("Generated/Todo.queries.swift")
    try workspace.write("DEFINE QUERY a AS SELECT nmae FROM todo;\n", to: "Queries/Todo.sql")
    try workspace.write("DEFINE QUERY b AS SELECT FROM todo;\n", to: "Queries/Other.sql")
    guard let result = try run(in: workspace) else { return }
    #expect(result.exitCode == 1)
    #expect(result.output.contains("\(workspace.path)/Queries/Todo.sql:1:26: error: "))
    #expect(result.output.contains("\(workspace.path)/Queries/Other.sql:1:26: error: "))
    #expect(try workspace.read("Generated/Todo.queries.swift") == before)
    #expect(workspace.generated == ["DB.generated.swift", "Todo.queries.swift"])
  }

  @Test(arguments: [("", "Holt"), ("import: QueryGen\n", "QueryGen")])
  func `imports the given module, unless the configuration names one`(
    _ configuration: String, _ module: String
  ) throws {
    let workspace = try Workspace.todo()
    try workspace.write(configuration, to: "querygen.yaml")
    guard let result = try run(in: workspace, module: "Holt") else { return }
    #expect(result.exitCode == 0)
    #expect(try workspace.read("Generated/Todo.queries.swift").contains("\nimport \(module)\n"))
  }

  @Test func `prints its usage`() throws {
    guard let result = try run([]) else { return }
    #expect(result.exitCode == 64)
    #expect(result.output == "usage: querygen-build FOLDER OUTPUT MODULE\n")
  }
}
