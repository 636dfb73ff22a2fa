import Foundation

/// Writes the fuzzer's seed files to a folder: each sample document and other inputs, after the
/// byte that selects the mode.
@main
enum FuzzSeeds {
  static func main() throws {
    guard CommandLine.arguments.count == 2 else {
      print("usage: FuzzSeeds FOLDER")
      exit(2)
    }
    let folder = URL(filePath: CommandLine.arguments[1])
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    for (name, text) in SampleDocuments.all {
      try write("t" + text, "text-\(name)")
      // Two bytes select the chunk lengths and the rules.
      try write("c\u{4}\u{7}" + text, "chunks-\(name)")
      try write("c 0" + text, "chunks-\(name)-strict")
      try write("v\(text)\0\(text.replacing("`1`", with: "`2`"))", "values-\(name)")
    }
    for (number, text) in json.enumerated() { try write("j" + text, "json-\(number)") }
    for (number, text) in types.enumerated() { try write("d" + text, "types-\(number)") }
    for (number, text) in paths.enumerated() { try write("p" + text, "path-\(number)") }
  }

  private static let json = [
    #"{"@type":"Address","zip":{"@float":1.5},"@@at":null,"list":[true,false,-0,1e2,0.10]}"#,
    #"[{"@data":"AQ=="},{"@instant":"1970-01-01T00:00:00Z"},{"@decimal":"1e9"},{"@opaque":"x"}]"#,
    #"{"a":{"@double":"nan"},"b":{"@float":"-inf"},"c":18446744073709551615,"d":[[],{}]}"#,
    #" "\ud83d\udc0e\u0000\b\f\n\r\t\"\\\/é🐎" "#, "-12.5E+3", "123456789012345678901234567890.5",
  ]

  private static let types = [
    "@obj<id!=`1` name$=`x` shape=@obj<circle=@obj<radius&=`1.5`>> when+=`2023-11-14T22:13:20.5Z` "
      + "price#=`19.90` blob*=`AQID` link$=`https://a.b/c` tags=@array[`a`, `b`] "
      + "extra=@array[1!, `x`, <null>?] more=@obj<k!=`1`> nested=@array[@obj<id!=`2`>]>",
    "@array[@obj<id!=`1` when&=`1e300` price!=`5`>, @obj<id?=`2` when?=`2023-11-14 22:13:20 +0000`>]",
    "@obj<@spon!=`2` a!=`-1` b!=`255` c!=`1` d!=`1` e!=`1` f!=`1` g!=`-9` h!=`18446744073709551615` "
      + "i^=`1.5` j&=`nan` k%=`true` l$=`é` m&=`3.0` n#=`1e3`>",
    "@obj<point=@obj<>>", "@obj<box=@obj<_0&=`1.5` _1&=`2.0` label$=`x`>>",
    "@obj<a=@obj<group=@obj<_0=@array[@obj<point=@obj<>>]>> b=@obj<either=@obj<_0=@obj<point=@obj<>>>>>",
    "@obj<1$=`a` 2?=`<null>`>", "@array[1!, `a`, 2!, <null>?]", "@obj<x=@obj<y#=`1.5` z!=`2`>>",
    "@array:2[2023-11-14T22:13:20Z+, ~, 1.5&]", "@array[AQ==*, AQI=*]",
    "@array[@array[1.0&, 2!], @array[]]",
    "@array[1!, 2!, 3!]",
  ]

  private static let paths = [
    "people[2].name", #"["first name"][-1].a["\u{1}\n\"\\"]"#, "tables[*].rows[*]", "*.a", "",
  ]
}
