/// The root package: the targets of every package in the repository, named by path.
///
/// A package that depends on local packages can't be required by version. One build of everything is also several
/// times faster than a build per package.
struct RootManifest: Equatable {
  var toolsVersion = ""
  var platforms: [String] = []
  var products: [String] = []
  var traits: [Trait] = []
  var dependencies: [String] = []
  var targets: [Target] = []

  /// A trait, disabled by default. Without it, an external package is not fetched, or a library is not linked.
  struct Trait: Equatable {
    let name: String
    let description: String
  }

  /// A target: its kind and its arguments, in order.
  struct Target: Equatable {
    let kind: String
    let name: String
    let arguments: [Argument]
    /// The Swift settings as source text.
    let settings: [String]
    let trailing: [Argument]
  }

  /// A label, and one expression or a list of expressions.
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

  /// Every external package that the repository may use, by identity.
  static let knownTraits: [String: Trait] = [
    "swift-syntax": Trait(
      name: "Macros", description: "The macro products; fetches swift-syntax."),
    "swift-argument-parser": tools,
    "swift-crypto": tools,
    "opencombine": Trait(
      name: "OpenCombine",
      description: "Publishers on platforms without Combine; fetches OpenCombine."),
  ]

  private static let tools = Trait(
    name: "Tools",
    description: "The command-line tools; fetches swift-argument-parser and swift-crypto.")
}
