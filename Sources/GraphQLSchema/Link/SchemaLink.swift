public import GraphQLSyntax

/// A specification that a schema takes definitions from, such as
/// `extend schema @link(url: "https://specs.apollo.dev/cache/v0.4", import: ["@typePolicy"])`
/// — [spec](https://specs.apollo.dev/link/v1.0/)
public struct SchemaLink: Sendable, Hashable {
  /// The URL of the specification as it is written.
  public let url: String
  /// The prefix of the specification's definitions that are not imported, as in `@federation__key`: the `as` argument,
  /// or else the last part of the URL that is not a version. nil if the URL ends without a name.
  public let namespace: String?
  /// Definitions that go by another name than the namespace gives them.
  public let imports: [Import]

  /// One element of the `import` argument. The names of directives begin with `@`.
  public struct Import: Sendable, Hashable {
    /// What the specification calls it.
    public let name: String
    /// What this schema calls it: the same, unless `as` says otherwise.
    public let localName: String

    init(_ name: String, as localName: String? = nil) {
      self.name = name
      self.localName = localName ?? name
    }
  }

  /// Reads an application of `@link`; `nil` when it has no URL.
  public init?(_ directive: Directive) {
    guard case .string(let url)? = directive.argument("url")?.kind else { return nil }
    self.url = url.value
    if case .string(let name)? = directive.argument("as")?.kind {
      namespace = name.value
    } else {
      namespace = Self.name(in: url.value)
    }
    guard case .list(let items)? = directive.argument("import")?.kind else {
      imports = []
      return
    }
    imports = items.compactMap { Import($0) }
  }

  /// What this schema calls a definition of the specification, or `nil` when it cannot be told. The names of directives
  /// begin with `@`, before and after.
  public func localName(of name: String) -> String? {
    if let imported = imports.first(where: { $0.name == name }) { return imported.localName }
    guard let namespace else { return nil }
    guard name.hasPrefix("@") else { return "\(namespace)__\(name)" }
    let directive = name.dropFirst()
    // A directive with the name of its specification needs no prefix.
    return directive == namespace ? name : "@\(namespace)__\(directive)"
  }

  /// Whether a name of this schema stands for a definition of the specification.
  func provides(_ localName: String) -> Bool {
    if imports.contains(where: { $0.localName == localName }) { return true }
    guard let namespace else { return false }
    return localName == "@\(namespace)" || localName.hasPrefix("@\(namespace)__")
      || localName.hasPrefix("\(namespace)__")
  }

  /// `federation` of `https://specs.apollo.dev/federation/v2.3`.
  private static func name(in url: String) -> String? {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    var parts = path.split(separator: "/")
    if let last = parts.last, isVersion(last) { parts.removeLast() }
    guard let name = parts.last, !name.contains("__"), case .type(let name)? = SchemaCoordinate(String(name)) else {
      return nil
    }
    return name
  }

  private static func isVersion(_ part: Substring) -> Bool {
    let numbers = part.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
    return part.hasPrefix("v") && numbers.count == 2 && numbers.allSatisfy { Int($0) != nil }
  }
}

extension SchemaLink.Import {
  /// Reads `"@key"`, `"FieldSet"` or `{ name: "@key", as: "@primaryKey" }`. `nil` for anything else, and when only one
  /// of both names is a directive's.
  public init?(_ value: Value) {
    switch value.kind {
    case .string(let name): self.init(name.value)
    case .object(let fields):
      let texts = fields.map { field -> (String, String?) in
        guard case .string(let text) = field.value.kind else { return (field.name.value, nil) }
        return (field.name.value, text.value)
      }
      guard let name = texts.first(where: { $0.0 == "name" })?.1 else { return nil }
      let localName = texts.first { $0.0 == "as" }
      if let localName, localName.1?.hasPrefix("@") != name.hasPrefix("@") { return nil }
      self.init(name, as: localName?.1)
    default: return nil
    }
  }
}
