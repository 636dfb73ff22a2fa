import SPON
import Testing

@Test func smoke() throws {
  print(
    try SPONValue(
      parsing: "@obj:Lot<tags=@array[`a]b`] z!=`9` q=@obj<a&=`1.5` a&=`2` c?=`<null>`>>"))
}
