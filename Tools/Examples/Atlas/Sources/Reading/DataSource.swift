/// One file of data, in the order in which they are imported: what is referred to comes first.
enum DataSource: String, CaseIterable {
  case countries, formerCountries, subdivisions
  case languages, languageFamilies, libraryCodes, scripts
  case currencies, zones

  var fileName: String {
    switch self {
    case .countries: "iso_3166-1.json"
    case .formerCountries: "iso_3166-3.json"
    case .subdivisions: "iso_3166-2.json"
    case .languages: "iso_639-3.json"
    case .languageFamilies: "iso_639-5.json"
    case .libraryCodes: "iso_639-2.json"
    case .scripts: "iso_15924.json"
    case .currencies: "iso_4217.json"
    case .zones: "zone1970.tab"
    }
  }

  /// The one key of a JSON file, under which its records stand, and so the table that they are to a provider.
  var table: String {
    String(fileName.dropFirst("iso_".count).prefix { $0 != "." })
  }

  /// The Debian package that the file comes with.
  var package: String { self == .zones ? "tzdata" : "iso-codes" }

  /// What a person calls it.
  var title: String {
    switch self {
    case .countries: "countries"
    case .formerCountries: "former countries"
    case .subdivisions: "subdivisions"
    case .languages: "languages"
    case .languageFamilies: "language families"
    case .libraryCodes: "library codes"
    case .scripts: "scripts"
    case .currencies: "currencies"
    case .zones: "time zones"
    }
  }
}
