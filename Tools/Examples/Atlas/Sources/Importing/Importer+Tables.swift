import QueryGen
import SQLiteCore

extension Importer {
  /// Inserts the rows of one source.
  ///
  /// - Parameter inserted: Called after each record.
  func insert(
    _ source: DataSource, of data: AtlasData, into connection: Connection, inserted: () -> Void
  ) throws {
    switch source {
    case .countries: try insert(data.countries, connection, inserted)
    case .formerCountries: try insert(data.formerCountries, connection, inserted)
    case .subdivisions: try insert(data.subdivisions, connection, inserted)
    case .languages: try insert(data.languages, connection, inserted)
    case .languageFamilies: try insert(data.languageFamilies, connection, inserted)
    case .libraryCodes: try insert(data.libraryCodes, connection, inserted)
    case .scripts: try insert(data.scripts, connection, inserted)
    case .currencies: try insert(data.currencies, connection, inserted)
    case .zones: try insert(data.zones, connection, inserted)
    }
  }

  private func insert(
    _ countries: [CountryRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for country in countries {
      try db.addCountry.execute(
        alpha2: country.alpha_2, alpha3: country.alpha_3,
        numericCode: try number(country.numeric, in: .countries), name: country.name,
        commonName: country.common_name, officialName: country.official_name,
        flag: country.flag, in: connection)
      inserted()
    }
  }

  private func insert(
    _ countries: [FormerCountryRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for country in countries {
      try db.addFormerCountry.execute(
        alpha4: country.alpha_4, alpha2: country.alpha_2, alpha3: country.alpha_3,
        numericCode: try country.numeric.map { try number($0, in: .formerCountries) },
        name: country.name, withdrawn: country.withdrawal_date, comment: country.comment,
        in: connection)
      inserted()
    }
  }

  private func insert(
    _ subdivisions: [SubdivisionRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for subdivision in subdivisions {
      try db.addSubdivision.execute(
        code: subdivision.code, country: subdivision.country, parent: subdivision.parentCode,
        name: subdivision.name, type: subdivision.type, in: connection)
      inserted()
    }
  }

  private func insert(
    _ languages: [LanguageRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for language in languages {
      try db.addLanguage.execute(
        alpha3: language.alpha_3, alpha2: language.alpha_2, name: language.name,
        commonName: language.common_name, invertedName: language.inverted_name,
        scope: language.scope, type: language.type, in: connection)
      inserted()
    }
  }

  private func insert(
    _ families: [LanguageFamilyRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for family in families {
      try db.addLanguageFamily.execute(
        alpha3: family.alpha_3, name: family.name, in: connection)
      inserted()
    }
  }

  private func insert(
    _ codes: [LibraryCodeRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for code in codes {
      try db.addLibraryCode.execute(
        code: code.alpha_3, name: code.name, bibliographic: code.bibliographic, in: connection)
      inserted()
    }
  }

  private func insert(
    _ scripts: [ScriptRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for script in scripts {
      try db.addScript.execute(
        alpha4: script.alpha_4, numericCode: try number(script.numeric, in: .scripts),
        name: script.name, in: connection)
      inserted()
    }
  }

  private func insert(
    _ currencies: [CurrencyRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for currency in currencies {
      try db.addCurrency.execute(
        alpha3: currency.alpha_3, numericCode: try number(currency.numeric, in: .currencies),
        name: currency.name, in: connection)
      inserted()
    }
  }

  private func insert(
    _ zones: [ZoneRecord], _ connection: Connection, _ inserted: () -> Void
  ) throws {
    for zone in zones {
      try db.addZone.execute(
        name: zone.name, latitude: zone.latitude, longitude: zone.longitude,
        comment: zone.comment, in: connection)
      for (index, country) in zone.countries.enumerated() {
        try db.addZoneCountry.execute(
          zone: zone.name, country: country, position: index + 1, in: connection)
      }
      inserted()
    }
  }

  /// Parses a numeric code, which may have leading zeros.
  private func number(_ text: String, in source: DataSource) throws(AtlasError) -> Int {
    guard let number = Int(text) else {
      throw .unreadable(
        path: folders.path(of: source), line: nil, reason: "\"\(text)\" is not a number")
    }
    return number
  }
}
