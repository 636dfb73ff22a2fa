/// Rejects references from a folder of a target to a type that is declared in a folder further down.
///
/// `Docs/ARCHITECTURE.md` states the order: a fenced block for each target, whose first line is the path of the target's
/// sources, followed by a line for each folder. A line that begins with a space continues the one before it.
///
/// ```text
/// Packages/SPON/Sources/SPON
/// Errors        SPONError, places and paths
/// Syntax        tokens, the scanner
/// & Value       a folder in one layer with the folder above: each may use the other
/// except        Syntax uses SPONEncoder: the reason
/// ```
///
/// An extension may add members to a type of any folder above it. A type that several folders declare is not compared,
/// and neither is a name that the folder itself declares as a nested type.
public struct OrderCheck: Check {
  public let name = "order"
  public let summary =
    "a folder uses types of the folders above it, as Docs/ARCHITECTURE.md lists them"

  static let page = "Docs/ARCHITECTURE.md"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let orders = Self.orders(in: try repository.text(of: Self.page))
    var findings = Self.unlistedTargets(in: repository, listed: Set(orders.map(\.path)))
    for order in orders {
      findings += Self.differences(between: order, and: repository)
      findings += try Self.references(against: order, in: repository)
    }
    return findings
  }

  // MARK: The stated order

  /// The order of one target's folders.
  struct FolderOrder {
    /// The path of the target's sources.
    let path: String
    /// The line of the path on the page.
    let line: Int
    /// The folders, from the top to the bottom.
    var folders: [Folder] = []
    var exceptions: [Exception] = []

    /// The target's name, which is its module's.
    var target: Substring { path.split(separator: "/").last ?? "" }
  }

  struct Folder: Equatable {
    let name: String
    /// The number of layers above the folder.
    let layer: Int
    /// The line of the page that contains it.
    let line: Int
  }

  /// A type that a folder may use although it is declared further down.
  struct Exception: Equatable {
    let folder: String
    let type: String
    /// The line of the page that contains it.
    let line: Int
  }

  /// The orders that a page states.
  static func orders(in page: String) -> [FolderOrder] {
    CodeBlock.blocks(of: page).compactMap { block in
      guard let path = block.lines.first, path.contains("/Sources/"), !path.contains(" ") else {
        return nil
      }
      var order = FolderOrder(path: path, line: block.line + 1)
      var layer = -1
      for (offset, line) in block.lines.enumerated().dropFirst() where !line.hasPrefix(" ") {
        let number = block.line + 1 + offset
        let words = line.split { " :".contains($0) }.map(String.init)
        if words.first == "except", words.count > 3, words[2] == "uses" {
          order.exceptions.append(Exception(folder: words[1], type: words[3], line: number))
        } else if words.first == "&", words.count > 1 {
          order.folders.append(Folder(name: words[1], layer: max(layer, 0), line: number))
        } else if let name = words.first {
          layer += 1
          order.folders.append(Folder(name: name, layer: layer, line: number))
        }
      }
      return order
    }
  }

  /// The targets of packages that have several folders, but no order.
  private static func unlistedTargets(
    in repository: Repository, listed: Set<String>
  ) -> [Finding] {
    var findings: [Finding] = []
    for package in repository.names(in: "Packages") {
      for target in repository.names(in: "Packages/\(package)/Sources") {
        let path = "Packages/\(package)/Sources/\(target)"
        if listed.contains(path) || folders(of: path, in: repository).count < 2 { continue }
        findings.append(
          Finding(path: page, line: 1, message: "no order is stated for the folders of \(path)"))
      }
    }
    return findings
  }

  /// The folders of a target that have Swift files in them.
  private static func folders(of path: String, in repository: Repository) -> [String] {
    repository.names(in: path).filter { name in
      !name.contains(".")
        && repository.files(under: "\(path)/\(name)").contains { $0.hasSuffix(".swift") }
    }
  }

  private static func differences(
    between order: FolderOrder, and repository: Repository
  ) -> [Finding] {
    let found = folders(of: order.path, in: repository)
    var findings: [Finding] = []
    for folder in order.folders where !found.contains(folder.name) {
      findings.append(
        Finding(
          path: page, line: folder.line,
          message: "\(order.path)/\(folder.name) has no Swift file: remove it from the order"))
    }
    for name in found where !order.folders.contains(where: { $0.name == name }) {
      findings.append(
        Finding(
          path: page, line: order.line,
          message: "\(order.path)/\(name) is missing: add it to the order"))
    }
    return findings
  }

  // MARK: References

  private static let declaring: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "typealias",
  ]

  private struct File {
    let path: String
    let folder: Int
    let words: [SwiftCode.Word]
  }

  private static func references(
    against order: FolderOrder, in repository: Repository
  ) throws(CheckError) -> [Finding] {
    var files: [File] = []
    for (number, folder) in order.folders.enumerated() {
      for path in repository.files(under: "\(order.path)/\(folder.name)")
      where path.hasSuffix(".swift") {
        let code = SwiftCode(try repository.text(of: path))
        files.append(File(path: path, folder: number, words: code.words))
      }
    }
    let types = Self.types(of: files)
    var findings: [Finding] = []
    var unused = order.exceptions
    for file in files {
      let folder = order.folders[file.folder]
      let nested = types.nested[file.folder, default: []]
      for (index, word) in file.words.enumerated() {
        guard let owner = types.owner(of: index, in: file),
          order.folders[owner].layer > folder.layer, !nested.contains(word.text),
          word.before != UInt8(ascii: ".")
            || index > 0 && file.words[index - 1].text == order.target
        else { continue }
        unused.removeAll { $0.folder == folder.name && $0.type == word.text }
        if order.exceptions.contains(where: { $0.folder == folder.name && $0.type == word.text }) {
          continue
        }
        findings.append(
          Finding(
            path: file.path, line: word.line,
            message: """
              \(folder.name) uses \(word.text) of \(order.folders[owner].name), \
              a folder further down (\(page):\(order.line))
              """))
      }
    }
    return findings
      + unused.map {
        Finding(
          path: page, line: $0.line,
          message: "\($0.folder) does not use \($0.type): remove the exception")
      }
  }

  /// The types of a target, with the folders that declare them.
  private struct Types {
    /// The folder of each type of a file, except for names that several folders declare.
    var owners: [String: Int] = [:]
    /// The names of nested types, which hide others, by folder.
    var nested: [Int: Set<String>] = [:]
    /// The folder of each nested type, by the names of the outer and the nested type.
    var nestedOwners: [String: Int] = [:]

    /// Returns the folder that a use of a type refers to, or `nil` if the word is not a type of the target.
    ///
    /// `Outer.Nested` is a use of the nested type, which an extension in another folder may declare. So is the head of
    /// such an extension.
    func owner(of index: Int, in file: File) -> Int? {
      let word = file.words[index]
      guard let owner = owners[word.text] else { return nil }
      if index + 1 < file.words.count, file.words[index + 1].before == UInt8(ascii: "."),
        let nested = nestedOwners["\(word.text).\(file.words[index + 1].text)"]
      {
        return nested
      }
      let declaresNested = nestedOwners.contains {
        $0.key.hasPrefix(word.text + ".") && $0.value == file.folder
      }
      let isHead = index > 0 && word.depth == 0 && file.words[index - 1].text == "extension"
      return isHead && declaresNested ? file.folder : owner
    }
  }

  private static func types(of files: [File]) -> Types {
    var types = Types()
    var ambiguous: Set<String> = []
    for file in files {
      var outer = ""
      for (place, (keyword, name)) in zip(file.words, file.words.dropFirst()).enumerated() {
        if keyword.depth == 0, keyword.text == "extension" { outer = name.text }
        guard declaring.contains(keyword.text), keyword.before != UInt8(ascii: ".") else {
          continue
        }
        // `import enum Module.Name` declares nothing.
        if place > 0, file.words[place - 1].text == "import" { continue }
        if keyword.depth > 0 {
          types.nested[file.folder, default: []].insert(name.text)
          if keyword.depth == 1 { types.nestedOwners["\(outer).\(name.text)"] = file.folder }
          continue
        }
        outer = name.text
        if types.owners.updateValue(file.folder, forKey: name.text) ?? file.folder != file.folder {
          ambiguous.insert(name.text)
        }
      }
    }
    for name in ambiguous { types.owners[name] = nil }
    return types
  }
}
