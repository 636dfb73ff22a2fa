internal import Foundation
internal import QueryGenDriver

/// Swift functions that call the generated queries of a project.
///
/// The compiler type-checks the functions, with the generated files as other files of their module.
struct SwiftCalls: Sendable {
  /// The number of calls of which the time is measured.
  private static let calls = 80

  private let queries: Int
  private let folder: String

  /// - Parameter folder: The folder of the files, which are written on first use.
  init(queries: Int, in folder: String) {
    self.queries = queries
    self.folder = folder
  }

  /// Type-checks the functions.
  ///
  /// - Returns: The time that the compiler reports for their bodies, except the first one, which includes the creation
  ///   of the module's lookup tables.
  func check() throws -> Work {
    try writeOnce()
    let generated = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/Generated")
    let text = try Self.frontend(
      ["-primary-file", "\(folder)/Calls.swift"]
        + generated.sorted().map { "\(folder)/Generated/\($0)" })
    // 0.42ms	/folder/Calls.swift:2:6	global function Calls.(file).call0@/folder/Calls.swift:2:6
    let milliseconds = text.split(separator: "\n").compactMap { line in
      line.contains("Calls.swift") && !line.contains(".call0@")
        ? line.split(separator: "ms\t").first.flatMap { Double($0) } : nil
    }
    guard milliseconds.count == Self.calls, !text.contains("error:") else {
      throw BaselineError(code: 1)
    }
    let seconds = milliseconds.reduce(0, +) / 1_000
    return Work(
      checksum: nil, time: Time(cpu: seconds, wall: seconds),
      counts: [Work.records: Double(Self.calls)])
  }

  private static func frontend(_ arguments: [String]) throws -> String {
    let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("Modules").path
    let packages = "Packages"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-frontend", "-typecheck", "-swift-version", "6", "-module-name", "Calls",
        "-debug-time-function-bodies", "-I", modules,
        "-I", "\(packages)/Primitives/Sources/CAtomics",
        "-I", "\(packages)/SQLiteCore/Sources/CSystemSQLite",
      ] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  private func writeOnce() throws {
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    let project = SQLProject(tables: min(queries, 200), queries: queries)
    _ = try SQLFiles(project, in: folder).generate(isFirst: true)
    // The queries with numbers 5 n + 2 have the parameters of the calls. Every project calls the same
    // four, since the first call of a query also checks its declaration.
    let numbers = [2, 7, 12, 17]
    let functions = (0...Self.calls).map { call in
      """
      func call\(call)(_ db: DB) async throws {
        _ = try await db.query\(numbers[call % numbers.count]).execute(name: "a", amount: 1, note: "b")
      }
      """
    }
    let text = "import QueryGen\n" + functions.joined(separator: "\n") + "\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/Calls.swift"))
  }
}
