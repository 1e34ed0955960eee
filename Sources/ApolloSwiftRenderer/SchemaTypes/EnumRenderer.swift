import ApolloIR

/// The names of enum cases.
enum EnumCases {
  static func name(_ value: String, of type: String, _ options: RenderingOptions) -> String {
    if let name = options.customTypeNames[type]?.members[value] { return name }
    let name =
      options.convertsEnumCases ? options.capitalization.property(Identifier.camelCased(value)) : value
    // `allCases` is a static member already.
    return name == "allCases" ? "allCases_" : name
  }

  /// Values with different names; of two that would be the same case, the later keep theirs.
  static func names(_ type: EnumType, _ options: RenderingOptions) -> [(value: EnumType.Value, name: String)] {
    var taken: Set<String> = []
    let values = type.values.filter { !options.excludesDeprecatedEnumCases || $0.deprecationReason == nil }
    return values.map { value in
      var name = name(value.name, of: type.name, options)
      while !taken.insert(name).inserted { name += "_" }
      return (value, name)
    }
  }
}

/// Writes the enum for an enum of the schema, and what makes its cases easy to pass.
struct EnumRenderer {
  let type: EnumType
  let name: String
  let options: RenderingOptions
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    writer.blankLine()
    if options.includesDocumentation { writer.lines(Documentation.comment(type.description)) }
    writer.block("\(style.type)enum \(Identifier.escaped(name)): String, EnumType") { writer in
      for (value, name) in EnumCases.names(type, options) {
        let description = options.includesDocumentation ? value.description : nil
        writer.lines(Documentation.comment(description, deprecated: value.deprecationReason))
        let rawValue = name == value.name ? "" : " = " + Literal.string(value.name)
        writer.line("case \(Identifier.escaped(name))\(rawValue)")
      }
    }
  }

  /// `.empire` where a `GraphQLEnum`, or a nullable one, is wanted.
  func renderConveniences(to writer: inout CodeWriter, qualifiedName: String) {
    conveniences(for: "GraphQLEnum<\(qualifiedName)>", value: ".case", except: Self.enumMembers, &writer)
    conveniences(
      for: "GraphQLNullable<GraphQLEnum<\(qualifiedName)>>", value: ".some(.case",
      except: Self.enumMembers.union(Self.nullableMembers), &writer)
  }

  private func conveniences(for extended: String, value: String, except: Set<String>, _ writer: inout CodeWriter) {
    let cases = EnumCases.names(type, options).filter { !except.contains($0.name) }
    guard !cases.isEmpty else { return }
    let closing = value.contains("some") ? "))" : ")"
    writer.blankLine()
    writer.block("\(style.isolation)extension \(extended)") { writer in
      for (value:schemaValue, name:name) in cases {
        writer.lines(Documentation.deprecation(schemaValue.deprecationReason))
        let name = Identifier.escaped(name)
        writer.line("\(style.access)static var \(name): Self { \(value)(.\(name)\(closing) }")
      }
    }
  }

  /// Names that mean something else there.
  private static let enumMembers: Set = ["case", "unknown", "allCases", "self", "init", "Type", "Protocol"]
  private static let nullableMembers: Set = ["none", "null", "some"]
}
