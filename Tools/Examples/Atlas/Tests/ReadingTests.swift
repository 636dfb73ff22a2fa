import Testing

@testable import Atlas

@Suite struct `Reading the sources` {
  @Test(arguments: DataSource.allCases)
  func `names the package of a missing file`(source: DataSource) throws {
    let fixture = try Fixture()
    try fixture.remove(source)
    let error = try #require(throws: AtlasError.self) { try AtlasData(from: fixture.folders) }
    #expect(
      error == .missingData(path: fixture.folders.path(of: source), package: source.package))
    #expect(error.description.contains("apt-get install \(source.package)"))
    #expect(error.description.contains(source.fileName))
  }

  @Test func `reports the file and the record that are invalid`() throws {
    let fixture = try Fixture()
    try fixture.write(
      """
      { "15924": [ { "alpha_4": "Latn", "numeric": "215", "name": "Latin" }, { "name": "?" } ] }
      """, to: .scripts)
    let error = try #require(throws: AtlasError.self) { try AtlasData(from: fixture.folders) }
    #expect(error.description.hasSuffix("iso_15924.json: record 2 has no \"alpha_4\""))
  }

  @Test(arguments: ["{", "[]", "{ \"other\": [] }"])
  func `rejects a file with another structure`(text: String) throws {
    let fixture = try Fixture()
    try fixture.write(text, to: .scripts)
    #expect(throws: AtlasError.self) { try AtlasData(from: fixture.folders) }
  }

  @Test(arguments: [
    "CH\t+4723+00832", "CH\t4723+00832\tEurope/Zurich", "\t+4723+00832\tEurope/Zurich",
    "CH\t+47+008\tEurope/Zurich", "CH\t+4723+00832\t", "CH\t+472x+00832\tEurope/Zurich",
  ])
  func `reports the invalid line of the zones`(line: String) throws {
    let fixture = try Fixture()
    try fixture.write("# zones\n\(line)\n", to: .zones)
    let error = try #require(throws: AtlasError.self) { try ZoneRecord.read(from: fixture.folders) }
    #expect(error.description.contains("zone1970.tab:2: expected"))
  }

  @Test func `reports the line of a JSON syntax error`() throws {
    let fixture = try Fixture()
    try fixture.write("{ \"15924\": [\n  { \"name\" } ] }", to: .scripts)
    let error = try #require(throws: AtlasError.self) { try AtlasData(from: fixture.folders) }
    #expect(error.description.contains("iso_15924.json:2: "))
  }

  @Test func `reads a zone`() throws {
    let fixture = try Fixture()
    let zones = try ZoneRecord.read(from: fixture.folders)
    #expect(zones.map(\.countries) == [["BE"], ["CH", "BE"]])
    #expect(zones.map(\.name) == ["Europe/Brussels", "Europe/Zurich"])
    #expect(zones.map(\.comment) == [nil, "Swiss time"])
  }

  @Test(arguments: [
    ("+4723", 2, 47 + 23.0 / 60), ("-1259", 2, -(12 + 59.0 / 60)),
    ("-0003054", 3, -(30 + 54.0 / 60) / 60),
    ("+00000", 3, 0),
  ])
  func `reads degrees, minutes and seconds`(text: String, digits: Int, degrees: Double) throws {
    let found = try #require(ZoneRecord.degrees(Substring(text), digits: digits))
    #expect(abs(found - degrees) < 1e-9)
  }
}
