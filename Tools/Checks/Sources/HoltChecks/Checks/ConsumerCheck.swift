/// Refuses a repository that an app can't require by URL and version for one product alone.
///
/// The working copy is committed to a throwaway repository and tagged; an app that wants one
/// product is built from there, optimized as it would be shipped, and run. Nothing else may be fetched,
/// and nothing else compiled. ``ConsumersCommand`` does it for every product.
public struct ConsumerCheck: Check {
  public let name = "consumer"
  public let summary =
    "each product has an app; one takes its product by URL and version, and nothing else is built"

  /// The product that the app takes.
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
