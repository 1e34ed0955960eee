import ApolloIR

/// Writes a Swift enum for an enum of the schema, and extensions that make its cases easy to pass.
struct EnumRenderer {
  let type: EnumType
  let name: String
  let names: NameResolver
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    if names.options.includesDocumentation { writer.lines(Documentation.comment(type.description)) }
    writer.block("\(style.type)enum \(Identifier.escaped(name)): String, EnumType") { writer in
      for (value, name) in names.enumCases(type) {
        let description = names.options.includesDocumentation ? value.description : nil
        writer.lines(Documentation.comment(description, deprecated: value.deprecationReason))
        let rawValue = name == value.name ? "" : " = " + Literal.string(value.name)
        writer.line("case \(Identifier.escaped(name))\(rawValue)")
      }
    }
  }

  /// Writes members that allow `.empire` for a `GraphQLEnum`, or for a nullable one.
  func renderConveniences(to writer: inout CodeWriter, type: SwiftType) {
    let enumType = SwiftType.generic("GraphQLEnum", type)
    conveniences(for: enumType, value: { ".case(.\($0))" }, except: Self.enumMembers, &writer)
    conveniences(
      for: .generic("GraphQLNullable", enumType), value: { ".some(.case(.\($0)))" },
      except: Self.enumMembers.union(Self.nullableMembers), &writer)
  }

  private func conveniences(
    for extended: SwiftType, value: (String) -> String, except: Set<String>, _ writer: inout CodeWriter
  ) {
    let cases = names.enumCases(type).filter { !except.contains($0.name) }
    guard !cases.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.isolation)extension \(extended)") { writer in
      for (value:schemaValue, name:name) in cases {
        writer.lines(Documentation.deprecation(schemaValue.deprecationReason))
        let name = Identifier.escaped(name)
        writer.line("\(style.access)static var \(name): Self { \(value(name)) }")
      }
    }
  }

  /// Names with another meaning in an enum.
  private static let enumMembers: Set = ["case", "unknown", "allCases", "self", "init", "Type", "Protocol"]
  private static let nullableMembers: Set = ["none", "null", "some"]
}
