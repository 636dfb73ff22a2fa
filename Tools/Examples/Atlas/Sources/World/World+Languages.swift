import Relations

extension World {
  struct Language: Table {
    static let tableName = "language"
    static let keyColumns = ["alpha3"]

    var alpha3 = ""
    var name = ""
    var codes: ManyRelation<LibraryCode> = ManyRelation(\LibraryCode.language)

    var id: String {
      get { alpha3 }
      set { alpha3 = newValue }
    }
  }

  struct LanguageFamily: Table {
    static let tableName = "language_family"
    static let keyColumns = ["alpha3"]

    var alpha3 = ""
    var name = ""

    var id: String {
      get { alpha3 }
      set { alpha3 = newValue }
    }
  }

  /// A library code for a language, for a family, or for neither.
  struct LibraryCode: Table {
    static let tableName = "library_code"
    static let keyColumns = ["code"]

    var code = ""
    var name = ""
    var bibliographic: String?
    var language = OneRelation<Language>()
    var family = OneRelation<LanguageFamily>()

    var id: String {
      get { code }
      set { code = newValue }
    }
  }
}
