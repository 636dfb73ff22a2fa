import Relations

extension World {
  struct Country: Table {
    static let tableName = "country"
    static let keyColumns = ["alpha2"]

    var alpha2 = ""
    var displayName = ""
    var flag = ""
    var subdivisions: ManyRelation<Subdivision> = ManyRelation(
      \Subdivision.country, orderedBy: "name")
    var zones: ManyRelation<Zone> = ManyRelation(
      through: \ZoneUse.country, \ZoneUse.zone, orderedBy: "longitude")
    var currencies: ManyRelation<Currency> = ManyRelation(
      \Currency.issuer, orderedBy: "alpha3")

    var id: String {
      get { alpha2 }
      set { alpha2 = newValue }
    }

    enum CodingKeys: String, CodingKey {
      case alpha2
      case displayName = "display_name"
      case flag, subdivisions, zones, currencies
    }
  }

  struct Subdivision: Table {
    // The compiler can't infer the type for a relation to the same type.
    typealias Row = Subdivision

    static let tableName = "subdivision"
    static let keyColumns = ["code"]

    var code = ""
    var name = ""
    var type = ""
    var country = OneRelation<Country>(isRequired: true)
    var parent: OneRelation<Subdivision> = OneRelation()
    var parts: ManyRelation<Subdivision> = ManyRelation(\Subdivision.parent, orderedBy: "name")

    var id: String {
      get { code }
      set { code = newValue }
    }
  }

  struct Zone: Table {
    static let tableName = "zone"
    static let keyColumns = ["name"]

    var name = ""
    var longitude = 0.0

    var id: String {
      get { name }
      set { name = newValue }
    }
  }

  /// The use of a zone by a country.
  struct ZoneUse: Table {
    static let tableName = "zone_country"
    static let keyColumns = ["country", "zone"]

    struct Key: CompositeKey {
      var country = ""
      var zone = ""
    }

    var country = OneRelation<Country>(isRequired: true)
    var zone = OneRelation<Zone>(isRequired: true)
    var position = 0

    var id: Key {
      get { Key(country: country.key ?? "", zone: zone.key ?? "") }
      set { (country.key, zone.key) = (newValue.country, newValue.zone) }
    }
  }

  struct Currency: Table {
    static let tableName = "currency"
    static let keyColumns = ["alpha3"]

    var alpha3 = ""
    var name = ""
    var issuer = OneRelation<Country>()

    var id: String {
      get { alpha3 }
      set { alpha3 = newValue }
    }
  }
}
