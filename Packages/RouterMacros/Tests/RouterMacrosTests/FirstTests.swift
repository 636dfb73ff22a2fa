import RouterMacros
import Testing

@Test func f() {}
