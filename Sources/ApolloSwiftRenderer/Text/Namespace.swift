/// The enum around all generated types, if there is one.
struct Namespace {
  private let name: String?
  private let declaringName: String?

  /// Finds the namespace.
  ///
  /// - Parameters:
  ///   - placement: Where the code is.
  ///   - declared: Whether it is for files of the schema, which are always in the namespace. The default is false.
  init(_ placement: CodePlacement, declared: Bool = false) {
    switch placement.surroundings {
    case .namespace(let name):
      self.name = name
      declaringName = name
    case .outsideOfNamespace(let name, _):
      self.name = declared ? name : nil
      declaringName = name
    case .sameModule, .otherModule:
      name = nil
      declaringName = nil
    }
  }

  /// Writes code in the namespace.
  ///
  /// - Parameters:
  ///   - writer: Writes the code.
  ///   - declares: Whether the namespace is declared, for the schema's types, or extended.
  ///   - style: The access level and the isolation.
  ///   - body: Writes the code inside.
  func wrap(
    _ writer: inout CodeWriter, declares: Bool, style: DeclarationStyle, _ body: (inout CodeWriter) -> Void
  ) {
    guard let name = declares ? declaringName : name else { return body(&writer) }
    writer.blankLine()
    if declares {
      writer.block("\(style.type)enum \(name)", body)
    } else {
      writer.block("\(style.isolation)extension \(name)", body)
    }
  }
}
