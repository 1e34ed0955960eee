/// Writes a Swift enum for an enum of the schema, and extensions that make its cases easy to pass.
struct EnumRenderer {
  let plan: EnumPlan
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    writer.annotations(plan.documentation)
    guard !plan.cases.isEmpty else { return renderWithoutCases(to: &writer) }
    writer.block("\(style.type)enum \(Identifier.escaped(plan.name)): String, EnumType") { writer in
      for value in plan.cases {
        writer.annotations(value.documentation)
        let rawValue = value.name == value.value ? "" : " = " + Literal.string(value.value)
        writer.line("case \(Identifier.escaped(value.name))\(rawValue)")
      }
    }
  }

  /// Swift gives an enum without cases no raw values.
  private func renderWithoutCases(to writer: inout CodeWriter) {
    writer.block("\(style.type)enum \(Identifier.escaped(plan.name)): EnumType") { writer in
      writer.member("\(style.access)init?(rawValue: String)", "nil")
      writer.member("\(style.access)var rawValue: String", "switch self {}")
    }
  }

  /// Writes members that allow `.empire` for a `GraphQLEnum`, or for a nullable one.
  func renderConveniences(to writer: inout CodeWriter) {
    let type = SwiftType.generic("GraphQLEnum", plan.type)
    conveniences(to: &writer, for: type, except: Self.enumMembers) { ".case(.\($0))" }
    conveniences(
      to: &writer, for: .generic("GraphQLNullable", type), except: Self.enumMembers.union(Self.nullableMembers)
    ) { ".some(.case(.\($0)))" }
  }

  private func conveniences(
    to writer: inout CodeWriter, for extended: SwiftType, except: Set<String>, value: (String) -> String
  ) {
    let cases = plan.cases.filter { !except.contains($0.name) }
    guard !cases.isEmpty else { return }
    writer.blankLine()
    writer.block("\(style.isolation)extension \(extended)") { writer in
      for enumCase in cases {
        writer.annotations(Documentation.deprecation(enumCase.deprecation))
        let name = Identifier.escaped(enumCase.name)
        writer.member("\(style.access)static var \(name): Self", value(name))
      }
    }
  }

  /// Names with another meaning in an enum.
  private static let enumMembers: Set = ["case", "unknown", "allCases", "self", "init", "Type", "Protocol"]
  private static let nullableMembers: Set = ["none", "null", "some"]
}
