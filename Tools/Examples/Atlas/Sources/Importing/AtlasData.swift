/// The content of all sources, parsed before the first row is written.
struct AtlasData {
  let countries: [CountryRecord]
  let formerCountries: [FormerCountryRecord]
  let subdivisions: [SubdivisionRecord]
  let languages: [LanguageRecord]
  let languageFamilies: [LanguageFamilyRecord]
  let libraryCodes: [LibraryCodeRecord]
  let scripts: [ScriptRecord]
  let currencies: [CurrencyRecord]
  let zones: [ZoneRecord]

  /// - Throws: ``AtlasError`` for the first file that is missing or invalid.
  init(from folders: DataFolders) throws(AtlasError) {
    let iso = SourceReader(folders: folders)
    countries = try iso.records(of: .countries)
    formerCountries = try iso.records(of: .formerCountries)
    subdivisions = try iso.records(of: .subdivisions)
    languages = try iso.records(of: .languages)
    languageFamilies = try iso.records(of: .languageFamilies)
    libraryCodes = try iso.records(of: .libraryCodes)
    scripts = try iso.records(of: .scripts)
    currencies = try iso.records(of: .currencies)
    zones = try ZoneRecord.read(from: folders)
  }

  /// Returns the number of records in one source.
  func count(of source: DataSource) -> Int {
    switch source {
    case .countries: countries.count
    case .formerCountries: formerCountries.count
    case .subdivisions: subdivisions.count
    case .languages: languages.count
    case .languageFamilies: languageFamilies.count
    case .libraryCodes: libraryCodes.count
    case .scripts: scripts.count
    case .currencies: currencies.count
    case .zones: zones.count
    }
  }
}
