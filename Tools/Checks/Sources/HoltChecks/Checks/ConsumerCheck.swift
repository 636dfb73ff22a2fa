/// Rejects a repository that an app can't require by URL and version for a single product.
///
/// The working copy is committed to a temporary repository and tagged. An app that requires one product
/// from there is built with optimization and run. The build may not fetch other packages or compile other
/// targets. ``ConsumersCommand`` builds an app for every product.
public struct ConsumerCheck: Check {
  public let name = "consumer"
  public let summary =
    "each product has an app, and an app by URL builds no target that its product does not need"

  /// The product that the app requires.
  static let product = "SQLiteCore"

  public init() {}

  public func findings(in repository: Repository) throws(CheckError) -> [Finding] {
    let products = try ProductList.load(in: repository)
    let missing = products.findings(in: repository)
    guard missing.isEmpty else { return missing }
    let app = ConsumerApp(taking: Consumer(Self.product), by: .release)
    let build = try ConsumerSite.with(repository, offering: products) { site in
      try site.build(app)
    }
    return build.findings(offering: products)
  }
}
