/// The products of the root manifest.
struct ProductList {
  struct Product: Equatable {
    let name: String
    /// `library`, `executable` or `plugin`.
    let kind: String
    let targets: [String]
    /// The folder of its package, such as `Packages/SPON`.
    let folder: String
  }

  let products: [Product]

  init(products: [Product]) { self.products = products }

  static func load(in repository: Repository) throws(CheckError) -> ProductList {
    ProductList(try PackageDump.load("", in: repository).json)
  }

  init(_ json: JSON) {
    var folders: [String: String] = [:]
    for target in json["targets"].array {
      guard let name = target["name"].string, let path = target["path"].string else { continue }
      folders[name] = path.split(separator: "/").prefix(2).joined(separator: "/")
    }
    products = json["products"].array.compactMap { product in
      guard let name = product["name"].string, let kind = product["type"].enumCase?.name
      else { return nil }
      let targets = product["targets"].strings
      return Product(
        name: name, kind: kind, targets: targets,
        folder: targets.first.flatMap { folders[$0] } ?? "")
    }
  }

  subscript(name: String) -> Product? { products.first { $0.name == name } }

  /// Returns each product without an app, and each app with an unknown product or without a source.
  func findings(for consumers: [Consumer] = Consumer.all, in repository: Repository) -> [Finding] {
    let taken = Set(consumers.map(\.product))
    var findings: [Finding] = []
    func reject(_ message: String) {
      findings.append(Finding(path: ManifestCheck.path, line: 1, message: message))
    }
    for product in products where !taken.contains(product.name) {
      if product.kind == "executable", Consumer.commands.contains(product.name) { continue }
      reject("no app requires the product \(product.name): add one to Consumer.swift")
    }
    for consumer in consumers {
      for name in [consumer.product] + consumer.others where self[name] == nil {
        reject("an app requires the unknown product \(name): see Consumer.swift")
      }
      let source = ConsumerApp.source(of: consumer)
      if !repository.exists(source) { reject("\(consumer.product) has no app: \(source)") }
    }
    return findings
  }
}
