import Providers

/// The records of `iso-codes`, with the field names of its files. The provider decodes them from
/// rows.

struct CountryRecord: DataTable {
  static let primaryKey = "alpha_2"

  var alpha_2 = ""
  var alpha_3 = ""
  var numeric = ""
  var name = ""
  var common_name: String?
  var official_name: String?
  var flag = ""
}

struct FormerCountryRecord: DataTable {
  static let primaryKey = "alpha_4"

  var alpha_4 = ""
  var alpha_2 = ""
  var alpha_3 = ""
  var numeric: String?
  var name = ""
  var withdrawal_date = ""
  var comment: String?
}

struct SubdivisionRecord: DataTable {
  static let primaryKey = "code"

  var code = ""
  var name = ""
  var type = ""
  /// The code of the parent subdivision, with or without the country prefix.
  var parent: String?

  var country: String { String(code.prefix { $0 != "-" }) }

  var parentCode: String? {
    parent.map { $0.contains("-") ? $0 : "\(country)-\($0)" }
  }
}

struct LanguageRecord: DataTable {
  static let primaryKey = "alpha_3"

  var alpha_3 = ""
  var alpha_2: String?
  var name = ""
  var common_name: String?
  var inverted_name: String?
  var scope = LanguageScope.i
  var type = LanguageType.l
}

struct LanguageFamilyRecord: DataTable {
  static let primaryKey = "alpha_3"

  var alpha_3 = ""
  var name = ""
}

struct LibraryCodeRecord: DataTable {
  static let primaryKey = "alpha_3"

  var alpha_3 = ""
  var name = ""
  var bibliographic: String?
}

struct ScriptRecord: DataTable {
  static let primaryKey = "alpha_4"

  var alpha_4 = ""
  var numeric = ""
  var name = ""
}

struct CurrencyRecord: DataTable {
  static let primaryKey = "alpha_3"

  var alpha_3 = ""
  var numeric = ""
  var name = ""
}
