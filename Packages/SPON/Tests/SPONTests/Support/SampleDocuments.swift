/// Typical documents.
enum SampleDocuments {
  static let all: [(name: String, text: String)] = [
    ("address", address), ("order", order), ("readings", readings), ("settings", settings),
    ("playlist", playlist), ("legacy", legacy), ("versionTwo", versionTwo),
    ("instants", instants), ("escapes", escapes), ("geometry", geometry), ("single", single),
    ("database", database),
  ]

  static let address =
    "@obj:Address<state$=`TX` city$=`Seabrook` addr1$=`25 Nasa Rd 1` zip$=`77586` addr2$=`Apt #123`>"

  static let order = """
    @obj:Order<
      id!=`48213`
      placed?=`2023-11-14 22:13:20 +0000`
      customer=@obj:Customer<name$=`Žofie &01;Zoe&01; Kůrková` vip%=`false`>
      lines=@array[
        @obj:Line<sku$=`BR-17` quantity!=`2` price&=`19.9` tags=@array[`red`, `dark, blue`, ``]>,
        @obj:Line<sku$=`LP]2` quantity!=`1` price&=`1e-3` tags=@array[]>
      ]
      note$=`leave at <door> [no. 4] = a:b`
    >
    """

  static let readings =
    "@array[@obj<t^=`21.5` ok%=`true`>, @obj<t^=`-3.25` ok%=`false`>, @obj<t^=`nan` ok%=`true`>, "
    + "@obj<t^=`inf`>, 3!, -9223372036854775808!, 5e-324&, 1.7976931348623157e+308&, <null>?, x y?, "
    + "3q2+7w==*, *]"

  static let settings =
    "@obj:Settings<window=@obj:Rect<left!=`0` top!=`0` width!=`1280` height!=`800`> "
    + "recent=@array[`/home/a b/c.txt`, `/tmp/x`] theme$=`dark` scale&=`1.25` "
    + "keys=@obj:Dictionary<save$=`⌘S` undo$=`⌘Z` $=`none`>>"

  static let playlist =
    "@array[@array[`🐎`, `e\u{301}`, `\u{200D}`], @array[@array[@array[]]], @obj:T<a=@array[1!]>, true%]"

  static let legacy =
    "@obj:Old<n?=`9007199254740993` d#=`1.5` at+=`x` z~=`<null>` a?=`<null>` a!=`1`>"

  static let versionTwo =
    "@obj:Stock<@spon!=`2` price#=`19.90` big!=`18446744073709551615` none~=`` first&u20;name$=`A&01;B` "
    + "x=@array[`a,b`?, ~, 1.5e-7#, nan#, `&u26;01;`] a&u3d;b%=`true`>"

  static let instants =
    "@array:2[1970-01-01T00:00:00Z+, 2023-11-14T23:13:20.123456789012345678+01:00+, "
    + "0000-01-01T00:00:00Z+, 9999-12-31T23:59:59.999999999999999999Z+]"

  static let escapes =
    "@obj:A&u3c;B<@spon!=`2` &u40;spon!=`1` &u1f40e;$=`&u26;u41;&&01;&u0;&u10FFFF;` \u{FEFF}?=`&u3c;null>`>"

  static let geometry =
    "@obj:Path<points=@array[0.0&, -0.0&, 0.1&, 1e+16&, 123456.789&] closed%=`true`\n\t"
    + "box=@obj<x^=`0.1` y^=`3.4028235e+38`>>"

  static let single = " `only &01;one&01; text` \n"

  /// A small database in the layout of the original library.
  static let database =
    "@obj:DataStore<tableLastInsertedInto$=`boats` tableRowsLastModified!=`1` tables=@array["
    + "@obj:Table<schema=@obj:TableSchema<name$=`boats` columns=@array["
    + "@obj:ColumnSchema<id!=`0` name$=`bid` type$=`INTEGER` allowsNull%=`false` isPrimaryKey%=`true` "
    + "isKeyUnique%=`true` autoIncrement%=`true`>, "
    + "@obj:ColumnSchema<id!=`1` name$=`name` type$=`TEXT` allowsNull%=`true` isPrimaryKey%=`false` "
    + "isKeyUnique%=`true` autoIncrement%=`false` defaultValue$=`unnamed`>, "
    + "@obj:ColumnSchema<id!=`2` name$=`draught` type$=`FLOAT` allowsNull%=`true` "
    + "isPrimaryKey%=`false` isKeyUnique%=`true` autoIncrement%=`false` "
    + "check=@obj:Function<functionType$=`@check` parameters=@array[@obj:Binary<"
    + "leftValue=@obj:Literal<value$=`draught`> operation$=`greaterThan` "
    + "rightValue=@obj:Literal<value!=`0`> negate%=`false`>]>>]> "
    + "rows=@array[@obj<bid!=`1` name$=`Tern &01;II&01;` draught^=`1.5` seal$=`3q0=`>, "
    + "@obj<bid!=`2` name$=`see note]` draught^=`0.75` crew=@array[`Ada`, `Li [cook]`]>, "
    + "@obj<bid!=`3` name$=`x > y < z` log=@obj:Log<miles!=`120` ports=@array[]>>]>, "
    + "@obj:Table<rows=@array[] schema=@obj:TableSchema<name$=`ports` columns=@array[]>>]>"
}
