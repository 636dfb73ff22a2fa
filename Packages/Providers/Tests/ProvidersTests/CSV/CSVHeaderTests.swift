import Primitives
import Testing

@_spi(Formats) @testable import Providers

/// Awkward files, with the properties that a person sees in them. Comments explain the results of
/// `sniff_csv` in DuckDB 2.0.1 that differ.
@Suite struct `Detecting the header of CSV` {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let hasHeader: Bool
    let delimiter: Character
    let quote: Character
    let types: [TableCollector.ColumnType]
    var testDescription: String { text.debugDescription }

    init(
      _ text: String, header: Bool, delimiter: Character = ",", quote: Character = "\"",
      _ types: [TableCollector.ColumnType]
    ) {
      (self.text, hasHeader) = (text, header)
      (self.delimiter, self.quote, self.types) = (delimiter, quote, types)
    }
  }

  static let cases = [
    Case("id,name\n1,Ada\n2,Bob\n", header: true, [.integer, .text]),
    Case("a,b\n1,2\n3,4\n", header: true, [.integer, .integer]),
    Case("id,price\n1,9.5\n2,10.50\n", header: true, [.integer, .real]),
    Case("day,n\n2026-11-22,1\n2026-11-23,2\n", header: true, [.date, .integer]),
    Case(
      "at,ok\n2026-11-22 10:00:00,true\n2026-11-23 11:30:00,false\n", header: true,
      [.dateTime, .boolean]),
    Case("a,\n1,2\n3,4\n", header: true, [.integer, .integer]),
    Case("a,b,\n1,2,\n3,4,\n", header: true, [.integer, .integer, .text]),
    // DuckDB 2.0.1 finds no header because one name is empty.
    Case("name,city,\nAda,London,\nBob,Paris,\n", header: true, [.text, .text, .text]),
    Case(",name,age\n0,Ada,36\n1,Bob,40\n", header: true, [.integer, .text, .integer]),
    Case("id,,price\n1,x,2.5\n2,y,3.5\n", header: true, [.integer, .text, .real]),
    Case("a,a\n1,2\n3,4\n", header: true, [.integer, .integer]),
    Case("name,name\nAda,Lovelace\nBob,Ross\n", header: true, [.text, .text]),
    Case("id,score,score\n1,2.5,3.5\n2,4.5,5.5\n", header: true, [.integer, .real, .real]),
    Case("ID,id\n1,2\n3,4\n", header: true, [.integer, .integer]),
    Case("true,count\n5,6\n7,8\n", header: true, [.integer, .integer]),
    Case("id,true\n1,x\n2,y\n", header: true, [.integer, .text]),
    Case("name,false\nAda,3\nBob,4\n", header: true, [.text, .integer]),
    Case(
      "city,2026-01-01,2026-02-01\nOslo,1.5,2.5\nRome,10.5,11.5\n", header: true,
      [.text, .real, .real]),
    // DuckDB finds no header in this and the next four files, because numbers above numbers are values
    // to it.
    Case("country,2019,2020\nNO,5.3,5.4\nSE,10.2,10.3\n", header: true, [.text, .real, .real]),
    Case("country,2019,2020\nNO,5,6\nSE,10,11\n", header: true, [.text, .integer, .integer]),
    Case(
      "country,code,2018,2019,2020\nNO,NOR,5.1,5.3,5.4\nSE,SWE,10.1,10.2,10.3\n", header: true,
      [.text, .text, .real, .real, .real]),
    Case("1990,2000,2010\n4.5,5.5,6.5\n7.5,8.5,9.5\n", header: true, [.real, .real, .real]),
    Case(
      "team,1,2,3,4\nA,0.5,1.5,2.5,3.5\nB,1.0,2.0,3.0,4.0\n", header: true,
      [.text, .real, .real, .real, .real]),
    Case("name,1st,2nd\nAda,10,20\nBob,30,40\n", header: true, [.text, .integer, .integer]),
    Case("null,count\n1,2\n3,4\n", header: true, [.integer, .integer]),
    Case("x,5\n1,6\n2,7\n", header: true, [.integer, .integer]),
    Case("id,note\n1,id\n2,note\n", header: true, [.integer, .text]),
    Case("name,role\nname,admin\nBob,user\n", header: true, [.text, .text]),
    Case("name,city\nAda,city\nBob,Paris\n", header: true, [.text, .text]),
    Case("status,type\nopen,type\nclosed,status\n", header: true, [.text, .text]),
    Case("name,city\nAda,London\nBob,Paris\n", header: true, [.text, .text]),
    Case("first,second\nx,y\nz,w\n", header: true, [.text, .text]),
    Case("Name,City\nAda,London\nBob,Paris\n", header: true, [.text, .text]),
    Case("name\nAda\nBob\n", header: true, [.text]),
    Case("first name,last name\nAda,Lovelace\nBob,Ross\n", header: true, [.text, .text]),
    Case("\"name\",\"city\"\nAda,London\nBob,Paris\n", header: true, [.text, .text]),
    Case("zip,town\n01234,Aberdeen\n99999,Zurich\n", header: true, [.text, .text]),
    Case("phone,who\n+491701234567,Ada\n+4401632960961,Bob\n", header: true, [.text, .text]),
    Case("id,name\n", header: true, [.text, .text]),
    Case("1,2\n", header: false, [.integer, .integer]),
    Case("Ada,36\n", header: false, [.text, .integer]),
    Case("1,2\n3,4\n5,6\n", header: false, [.integer, .integer]),
    Case("1,Ada\n2,Bob\n3,Eve\n", header: false, [.integer, .text]),
    Case("1.5,2\n2.5,3\n", header: false, [.real, .integer]),
    Case("2026-11-22,1\n2026-11-23,2\n", header: false, [.date, .integer]),
    Case("true,1\nfalse,2\n", header: false, [.boolean, .integer]),
    Case("NO,2019\nSE,2020\nDK,2021\n", header: false, [.text, .integer]),
    Case("2019,5.3\n2020,5.4\n2021,5.5\n", header: false, [.integer, .real]),
    Case("1,2,3\n2,3,4\n3,4,5\n", header: false, [.integer, .integer, .integer]),
    Case("Ada,London,36\nBob,Paris,40\nEve,Rome,41\n", header: false, [.text, .text, .integer]),
    // DuckDB takes NA for the name of a column of integers, next to the names 5, 6 and 7.
    Case("NA,5,6,7\n3,4,5,6\n1,2,3,4\n", header: false, [.text, .integer, .integer, .integer]),
    // DuckDB always assumes a header above texts, also in the next file.
    Case("Ada,London\nBob,Paris\nAda,Rome\n", header: false, [.text, .text]),
    Case("F,Ada\nM,Bob\nF,Eve\n", header: false, [.text, .text]),
    // DuckDB reads yes and no as Booleans, here texts.
    Case("10.5,yes\n11.5,no\n", header: false, [.real, .text]),
    // DuckDB does not read +3 as a number.
    Case("n,v\na,9.5\nb,10.50\nc,1e-05\nd,+3\n", header: true, [.text, .real]),
    // DuckDB has integers of 128 bits.
    Case("id,n\n1,12345678901234567890\n2,5\n", header: true, [.integer, .decimal]),
    Case("a,b\n007,1\n008,2\n", header: true, [.text, .integer]),
    Case("id;price\n1;1,5\n2;2,5\n", header: true, delimiter: ";", [.integer, .text]),
    // DuckDB chooses the comma.
    Case("1,5;2,5\n3,5;4,5\n", header: false, delimiter: ";", [.text, .text]),
    Case("id\tname\n1\tAda, Bob\n2\tEve, Dan\n", header: true, delimiter: "\t", [.integer, .text]),
    Case("a|b|c\n1|2|3\n4|5|6\n", header: true, delimiter: "|", [.integer, .integer, .integer]),
    // As above: DuckDB requires a name, and names that are not numbers.
    Case(
      "name;city;\nAda;London;\nBob;Paris;\n", header: true, delimiter: ";", [.text, .text, .text]),
    Case(
      "country;2019;2020\nNO;5.3;5.4\nSE;10.2;10.3\n", header: true, delimiter: ";",
      [.text, .real, .real]),
    Case("a\tb\n1\t\n2\tx\n", header: true, delimiter: "\t", [.integer, .text]),
    Case("id,text\n1,\"a, b\"\n2,\"c, d\"\n", header: true, [.integer, .text]),
    Case("id,text\n1,\"say \"\"hi\"\"\"\n2,x\n", header: true, [.integer, .text]),
    Case("'id','text'\n'1','a,b'\n'2','c'\n", header: true, quote: "'", [.integer, .text]),
    Case("id,text\n1,\"two\nlines\"\n2,x\n", header: true, [.integer, .text]),
    Case("\"1\",\"2\"\n\"3\",\"4\"\n", header: false, [.integer, .integer]),
    Case("\"a;b\",\"c;d\"\n\"e;f\",\"g;h\"\n", header: true, [.text, .text]),
    Case("id,name\r\n1,Ada\r\n2,Bob\r\n", header: true, [.integer, .text]),
    Case("\u{FEFF}id,name\n1,Ada\n2,Bob\n", header: true, [.integer, .text]),
    Case("id, name\n1, Ada\n2, Bob\n", header: true, [.integer, .text]),
    Case("id,name\n1,Ada\n\n2,Bob\n", header: true, [.integer, .text]),
    Case("größe,straße\n1,Hauptstraße\n2,Weg\n", header: true, [.integer, .text]),
    Case("#,name\n1,Ada\n2,Bob\n", header: true, [.integer, .text]),
    Case("%,$\n1,2.5\n2,3.5\n", header: true, [.integer, .real]),
  ]

  @Test(arguments: cases) func `of a file, its delimiter, its quote and its types`(
    _ each: Case
  ) throws {
    let dialect = CSVProvider.Dialect.detected(in: Array(each.text.utf8).elementSpan)
    #expect(dialect.hasHeader == each.hasHeader)
    #expect(dialect.delimiter == each.delimiter.asciiValue)
    #expect(dialect.quote == each.quote.asciiValue)
    let folder = try TemporaryFolder()
    let provider = CSVProvider()
    try provider.openSource(atPath: folder.write(each.text, to: "t.csv"))
    let columns = try provider.getTableSchema(forTableName: "t").columns
    // A key that is not an alias of the rowid is declared as INT.
    let types = columns.map { $0.declaredType == "INT" ? "INTEGER" : $0.declaredType }
    #expect(types == each.types.map(\.rawValue))
    // The header is detected again in a file with a change.
    try provider.execute("CREATE TABLE other (x); DROP TABLE other")
    try provider.closeSource()
    let written = try folder.text(of: "t.csv")
    #expect(
      CSVProvider.Dialect.detected(in: Array(written.utf8).elementSpan).hasHeader
        == each.hasHeader)
  }

  @Test(arguments: [true, false]) func `is not done if it is specified`(_ hasHeader: Bool) throws {
    let folder = try TemporaryFolder()
    for each in Self.cases.prefix(10) {
      var options = CSVProvider.Options()
      options.hasHeader = hasHeader
      let provider = CSVProvider(options: options)
      let path = try folder.write(each.text, to: "t.csv")
      try provider.openSource(atPath: path)
      let names = try provider.getTableSchema(forTableName: "t").columns.map(\.name)
      #expect((names.first == "column1") == (!hasHeader || each.text.hasPrefix(",")))
      try provider.closeSource(discardingChanges: true)
    }
  }
}
