import GraphQLJSON
import GraphQLSyntax

extension IntrospectionReader {
  mutating func field(_ value: JSONNode) -> FieldDefinition? {
    guard let name = self.name(of: value), let type = typeReference(value["type"], of: name.value, in: value) else {
      return nil
    }
    guard let arguments = value["args"]?.array else {
      report(
        "Introspection result missing field args: field \"\(name)\" must have a list, which may be empty.", at: value)
      return nil
    }
    return FieldDefinition(
      description: description(value), name: name, arguments: arguments.compactMap { inputValue($0) }, type: type,
      directives: deprecation(value))
  }

  mutating func inputValue(_ value: JSONNode) -> InputValueDefinition? {
    guard let name = self.name(of: value), let type = typeReference(value["type"], of: name.value, in: value) else {
      return nil
    }
    var defaultValue: Value?
    if let text = value["defaultValue"]?.string {
      defaultValue = Parser.parseConstValue(Source(text, name: "default value of \(name)")).value ?? nil
      if defaultValue == nil { report("The default value of \"\(name)\" cannot be read: \(text)", at: value) }
    }
    return InputValueDefinition(
      description: description(value), name: name, type: type, defaultValue: defaultValue,
      directives: deprecation(value))
  }

  mutating func enumValue(_ value: JSONNode) -> EnumValueDefinition? {
    guard let name = self.name(of: value) else {
      report("Invalid introspection result: an enum value has no \"name\".", at: value)
      return nil
    }
    return EnumValueDefinition(description: description(value), name: name, directives: deprecation(value))
  }

  /// A directive, unless every schema has it.
  mutating func directive(_ value: JSONNode) -> DirectiveDefinition? {
    guard let name = self.name(of: value) else {
      report("Invalid introspection result: a directive has no \"name\".", at: value)
      return nil
    }
    guard !BuiltIn.directives.contains(where: { $0.name.value == name.value }) else { return nil }
    guard let arguments = value["args"]?.array else {
      report(
        "Introspection result missing directive args: directive \"@\(name)\" must have a list, which may be empty.",
        at: value)
      return nil
    }
    guard let locations = value["locations"]?.array else {
      report("Introspection result missing directive locations: directive \"@\(name)\" must have them.", at: value)
      return nil
    }
    return DirectiveDefinition(
      description: description(value), name: name, arguments: arguments.compactMap { inputValue($0) },
      isRepeatable: value["isRepeatable"]?.boolean ?? false,
      locations: locations.compactMap { $0.string.flatMap(DirectiveLocation.init(rawValue:)) })
  }

  private func description(_ value: JSONNode) -> StringValue? {
    value["description"]?.string.map { StringValue($0, isBlock: BlockString.canHold($0)) }
  }

  private func deprecation(_ value: JSONNode) -> [Directive] {
    let reason = value["deprecationReason"]?.string
    guard reason != nil || value["isDeprecated"]?.boolean == true else { return [] }
    guard let reason, reason != "No longer supported" else { return [Directive(name: "deprecated")] }
    return [
      Directive(name: "deprecated", arguments: [Argument(name: "reason", value: Value(.string(StringValue(reason))))])
    ]
  }

  /// A type as introspection nests it: wrappers outside, the name inside.
  private mutating func typeReference(_ value: JSONNode?, of name: String, in owner: JSONNode) -> TypeReference? {
    // From the outside in; built up again from the inside out.
    var wrappers: [String] = []
    var current = value
    while let kind = current?["kind"]?.string, kind == "LIST" || kind == "NON_NULL" {
      wrappers.append(kind)
      current = current?["ofType"]
    }
    guard let typeName = current.flatMap({ self.name(of: $0) }) else {
      report("Decorated type deeper than introspection query, or no type at all, at \"\(name)\".", at: owner)
      return nil
    }
    guard wrappers.count <= 256 else {
      report("The type of \"\(name)\" is nested more than 256 levels deep.", at: owner)
      return nil
    }
    var type = TypeReference(.named(typeName))
    for wrapper in wrappers.reversed() {
      if wrapper == "LIST" {
        type = TypeReference(.list(type))
      } else {
        type.isNonNull = true
      }
    }
    return type
  }
}
