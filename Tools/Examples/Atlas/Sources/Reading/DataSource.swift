/// The data files, in import order: referenced tables come first.
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

  /// The only key of a JSON file, whose value is the list of records; also the provider's table name.
  var table: String {
    String(fileName.dropFirst("iso_".count).prefix { $0 != "." })
  }

  /// The Debian package that contains the file.
  var package: String { self == .zones ? "tzdata" : "iso-codes" }

  /// The name for display.
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
