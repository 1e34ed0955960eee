/// Writes planned code as Swift.
package enum SwiftRenderer {
  /// Writes all files.
  package static func render(_ plan: CodePlan) -> RenderedCode {
    let placement = plan.options.placement
    let style = DeclarationStyle(placement.accessLevel, plan.options)
    let schemaStyle = DeclarationStyle(placement.schemaAccessLevel, plan.options)
    let mockStyle = DeclarationStyle(placement.mocks?.accessLevel ?? .internal, plan.options)
    let machinery = MachineryContext(style: style, scope: plan.scope, schemaMetadata: plan.schemaMetadata)
    return RenderedCode(
      schema: SwiftFile("from the schema", imports: plan.schema.imports) { writer in
        SchemaFileRenderer(plan: plan.schema, placement: placement, style: schemaStyle).render(to: &writer)
      },
      documents: plan.documents.map { render($0, options: plan.options, machinery: machinery) },
      mocks: plan.mocks.map { mock in
        let file = SwiftFile("from the schema", imports: mock.imports) { writer in
          MockRenderer(plan: mock, style: mockStyle).render(to: &writer)
        }
        return ("\(mock.name)+Mock.graphql.swift", file)
      },
      editable: plan.editableFiles.map { file in
        (file.name, EditableFileRenderer(plan: file, placement: placement, style: schemaStyle).text)
      })
  }

  private static func render(
    _ document: DocumentPlan, options: RenderingOptions, machinery: MachineryContext
  ) -> SwiftFile {
    guard !document.operations.isEmpty || !document.fragments.isEmpty else {
      return SwiftFile("from \(document.name)")
    }
    let style = machinery.style
    return SwiftFile("from \(document.name)", imports: document.imports) { writer in
      let operations = document.operations.map { OperationRenderer(plan: $0, style: style) }
      Namespace(options.placement).wrap(&writer, declares: false, style: style) { writer in
        for operation in operations { operation.render(to: &writer) }
        for fragment in document.fragments { StructRenderer(plan: fragment.data, style: style).render(to: &writer) }
      }
      writer.blankLine()
      writer.annotation("// MARK: - How it is read and written")
      for operation in operations {
        operation.renderMachinery(to: &writer, options: options, machinery: machinery)
      }
      for fragment in document.fragments {
        MachineryRenderer(root: fragment.data, type: fragment.type, context: machinery).render(to: &writer) { writer in
          guard let definition = fragment.definition else { return }
          writer.constant(
            "\(style.access)static let fragmentDefinition: StaticString",
            Literal.lines(definition, format: options.documentLiteralFormat))
        }
      }
    }
  }
}

/// Generated code as texts, which have not been written to files yet.
package struct RenderedCode {
  /// The file with the schema's types.
  package let schema: SwiftFile
  /// The files for documents, in the order of the plan.
  package let documents: [SwiftFile]
  /// Mocks, each with the name of its file.
  package let mocks: [(name: String, file: SwiftFile)]
  /// Files for people to change, with their names, which may contain a folder.
  package let editable: [(name: String, text: String)]
}
