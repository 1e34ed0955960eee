/// Writes the file with the schema types that operations use.
struct SchemaFileRenderer {
  let plan: SchemaPlan
  let placement: CodePlacement
  let style: DeclarationStyle

  func render(to writer: inout CodeWriter) {
    let enums = plan.enums.map { EnumRenderer(plan: $0, style: style) }
    let inputObjects = plan.inputObjects.map { InputObjectRenderer(plan: $0, style: style) }
    Namespace(placement).wrap(&writer, declares: true, style: style) { writer in
      if let id = plan.id {
        writer.blankLine()
        writer.line("\(style.access)typealias ID = \(id)")
      }
      for scalar in plan.scalars { render(scalar, to: &writer) }
      for renderer in enums { renderer.render(to: &writer) }
      for renderer in inputObjects { renderer.render(to: &writer) }
      possibleTypes(&writer)
      if let metadata = plan.metadata { SchemaMetadataRenderer(plan: metadata, style: style).render(to: &writer) }
    }
    for renderer in enums { renderer.renderConveniences(to: &writer) }
    for renderer in inputObjects { renderer.renderMachinery(to: &writer) }
  }

  private func render(_ scalar: ScalarPlan, to writer: inout CodeWriter) {
    writer.blankLine()
    writer.annotations(scalar.documentation)
    writer.line("\(style.access)typealias \(Identifier.escaped(scalar.name)) = \(scalar.type)")
  }

  private func possibleTypes(_ writer: inout CodeWriter) {
    guard !plan.possibleTypes.isEmpty else { return }
    writer.blankLine()
    writer.annotation("/// The object types that satisfy the type conditions of fragments.")
    writer.block("\(style.type)enum PossibleTypes") { writer in
      for (name, types) in plan.possibleTypes {
        writer.line(
          "\(style.access)static let \(name) = __TypeSet(\(Literal.string(types.joined(separator: " "))))")
      }
    }
  }
}
