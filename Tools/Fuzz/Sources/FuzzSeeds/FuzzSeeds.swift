import Foundation

/// Writes each sample document into a file of the folder that is named: what the fuzzer begins with.
@main
enum FuzzSeeds {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: FuzzSeeds FOLDER")
      exit(2)
    }
    let folder = URL(filePath: CommandLine.arguments[1])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in SampleDocuments.all {
      try Data(text.utf8).write(to: folder.appending(path: "\(name).spon"))
    }
  }
}
