/// The records of `iso-codes`, named and spelled as its files have them.

struct CountryRecord: Decodable {
  let alpha_2: String
  let alpha_3: String
  let numeric: String
  let name: String
  let common_name: String?
  let official_name: String?
  let flag: String
}

struct FormerCountryRecord: Decodable {
  let alpha_4: String
  let alpha_2: String
  let alpha_3: String
  let numeric: String?
  let name: String
  let withdrawal_date: String
  let comment: String?
}

struct SubdivisionRecord: Decodable {
  let code: String
  let name: String
  let type: String
  /// The whole that it is a part of: a code, or what follows the country in a code.
  let parent: String?

  var country: String { String(code.prefix { $0 != "-" }) }

  var parentCode: String? {
    parent.map { $0.contains("-") ? $0 : "\(country)-\($0)" }
  }
}

struct LanguageRecord: Decodable {
  let alpha_3: String
  let alpha_2: String?
  let name: String
  let common_name: String?
  let inverted_name: String?
  let scope: LanguageScope
  let type: LanguageType
}

struct LanguageFamilyRecord: Decodable {
  let alpha_3: String
  let name: String
}

struct LibraryCodeRecord: Decodable {
  let alpha_3: String
  let name: String
  let bibliographic: String?
}

struct ScriptRecord: Decodable {
  let alpha_4: String
  let numeric: String
  let name: String
}

struct CurrencyRecord: Decodable {
  let alpha_3: String
  let numeric: String
  let name: String
}
