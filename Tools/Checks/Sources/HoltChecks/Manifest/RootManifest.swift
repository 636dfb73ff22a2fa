/// The root package: the targets of every package in the repository, named by path.
///
/// A package that depends on local packages can't be required by version, and one build of
/// everything is many times faster than one for each package.
struct RootManifest: Equatable {
  var toolsVersion = ""
  var platforms: [String] = []
  var products: [String] = []
  var traits: [Trait] = []
  var dependencies: [String] = []
  var targets: [Target] = []

  /// A switch, off by default: without it an outside package is not even fetched, or a library not linked.
  struct Trait: Equatable {
    let name: String
    let description: String
  }

  /// One target: its kind and its arguments, in the order in which they are written.
  struct Target: Equatable {
    let kind: String
    let name: String
    let arguments: [Argument]
    /// The swift settings, each as written.
    let settings: [String]
    let trailing: [Argument]
  }

  /// A label and a value that is either one expression or a list of them.
  struct Argument: Equatable {
    let label: String
    let values: [String]
    let isList: Bool

    static func one(_ label: String, _ value: String) -> Argument {
      Argument(label: label, values: [value], isList: false)
    }

    static func list(_ label: String, _ values: [String]) -> Argument {
      Argument(label: label, values: values, isList: true)
    }
  }

  /// Every outside package that the repository may use, by identity.
  static let knownTraits: [String: Trait] = [
    "swift-syntax": Trait(
      name: "Macros", description: "The macro products; fetches swift-syntax."),
    "swift-argument-parser": Trait(
      name: "Tools", description: "The command-line tools; fetches swift-argument-parser."),
    "opencombine": Trait(
      name: "OpenCombine",
      description: "Publishers where there is no Combine; fetches OpenCombine."),
  ]
}
