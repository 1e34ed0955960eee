/// Texts for descriptions that mean something in Swift, if they are not looked at scalar by scalar: as literals
/// of GraphQL.
enum HostileTexts {
  static let literals: [String] = [
    #""Use \"b\", not 'a'.""#, #""a \\ b \\(x)""#, ##""\"#""##, #""*/ /* // #if x""#,
    #""line\nbreak\r\n\u{2028}\u{85}""#,
    #""\u{0}\u{1b}[2J\u{7f}""#, #""\u{600}\") var _x: Int = { 1 }() //""#, #""\u{d4e}\"\u{d4e}\\(x)""#,
    #""\"\u{301}\\\u{301}(x)""#, #""\u{202e}\u{2066}\u{feff}\u{e0041}""#, #""\u{fdd0}\u{fffe}\u{e000}\u{378}""#,
    #""\\""#,
    "\"\"", "\"\"\"\n  Several\n\n  lines, with \"quotes\" \\ and \u{1F469}\u{200D}\u{1F467}\n\"\"\"",
  ]
}
