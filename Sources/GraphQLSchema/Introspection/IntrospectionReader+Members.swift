import GraphQLJSON
import GraphQLSyntax

extension IntrospectionReader {
  mutating func field(_ value: JSONNode, of type: String) -> FieldDefinition? {
    guard let name = memberName(of: value, in: type) else { return nil }
    let place = "\(type).\(name)"
    guard let fieldType = typeReference(value["type"], of: place, in: value) else { return nil }
    if value["args"]?.array == nil {
      tolerate(
        "Introspection result missing field args: field \"\(place)\" must have a list, which may be empty.", at: value)
    }
    let arguments = value["args"]?.array ?? []
    return FieldDefinition(
      description: text(value["description"]), name: name,
      arguments: arguments.compactMap { inputValue($0, of: place + ":") }, type: fieldType,
      directives: deprecation(value))
  }

  /// An argument, or a field of an input object.
  ///
  /// - Parameters:
  ///   - value: Its description.
  ///   - owner: What it belongs to, as it stands before its name: `Query.hero:` or `Filter.`.
  /// - Returns: The definition; nil if it has no name or no type.
  mutating func inputValue(_ value: JSONNode, of owner: String) -> InputValueDefinition? {
    guard let name = memberName(of: value, in: String(owner.dropLast())) else { return nil }
    let place = owner.utf8.last == UInt8(ascii: ":") ? "\(owner.dropLast())(\(name):)" : "\(owner)\(name)"
    guard let type = typeReference(value["type"], of: place, in: value) else { return nil }
    return InputValueDefinition(
      description: text(value["description"]), name: name, type: type,
      defaultValue: defaultValue(of: value, type, place), directives: deprecation(value))
  }

  mutating func enumValue(_ value: JSONNode, of type: String) -> EnumValueDefinition? {
    guard let name = self.name(of: value, isEnumValue: true) else {
      tolerate("Invalid introspection result: a value of enum \"\(type)\" has no \"name\".", at: value)
      return nil
    }
    return EnumValueDefinition(
      description: text(value["description"]), name: name, directives: deprecation(value))
  }

  /// A directive, unless every schema has it.
  mutating func directive(_ value: JSONNode) -> DirectiveDefinition? {
    guard let name = self.name(of: value) else {
      tolerate("Invalid introspection result: a directive has no \"name\".", at: value)
      return nil
    }
    guard !BuiltIn.isDirective(name.value) else { return nil }
    if value["args"]?.array == nil {
      tolerate(
        "Introspection result missing directive args: directive \"@\(name)\" must have a list, which may be empty.",
        at: value)
    }
    guard let locations = locations(of: value) else {
      tolerate("Introspection result missing directive locations: directive \"@\(name)\" must have them.", at: value)
      return nil
    }
    return DirectiveDefinition(
      description: text(value["description"]), name: name,
      arguments: (value["args"]?.array ?? []).compactMap { inputValue($0, of: "@\(name):") },
      directives: deprecation(value), isRepeatable: value["isRepeatable"]?.boolean ?? false, locations: locations)
  }

  /// Where a directive can stand. Before the specification of 2016, three Booleans said it.
  private func locations(of directive: JSONNode) -> [DirectiveLocation]? {
    if let locations = directive["locations"]?.array {
      return locations.compactMap { $0.string.flatMap(DirectiveLocation.init(rawValue:)) }
    }
    let older: [(String, [DirectiveLocation])] = [
      ("onOperation", [.query, .mutation, .subscription]), ("onField", [.field]),
      ("onFragment", [.fragmentDefinition, .fragmentSpread, .inlineFragment]),
    ]
    guard isLenient, older.contains(where: { directive[$0.0] != nil }) else { return nil }
    return older.flatMap { directive[$0.0]?.boolean == true ? $0.1 : [] }
  }

  // MARK: - Parts of members

  private mutating func memberName(of value: JSONNode, in owner: String) -> Name? {
    if let name = self.name(of: value) { return name }
    tolerate("Invalid introspection result: a member of \"\(owner)\" has no \"name\".", at: value)
    return nil
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
  private mutating func typeReference(_ value: JSONNode?, of place: String, in owner: JSONNode) -> TypeReference? {
    // From the outside in; built up again from the inside out.
    var wrappers: [String] = []
    var current = value
    while let kind = current?["kind"]?.string, kind == "LIST" || kind == "NON_NULL" {
      wrappers.append(kind)
      current = current?["ofType"]
    }
    guard let typeName = current.flatMap({ self.name(of: $0) }) else {
      tolerate("Decorated type deeper than introspection query, or no type at all, at \"\(place)\".", at: owner)
      return nil
    }
    guard wrappers.count <= 256 else {
      tolerate("The type of \"\(place)\" is nested more than 256 levels deep.", at: owner)
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

  // MARK: - Default values

  private mutating func defaultValue(of value: JSONNode, _ type: TypeReference, _ place: String) -> Value? {
    guard let written = value["defaultValue"] else { return nil }
    guard let text = written.string else {
      tolerate("The default value of \"\(place)\" is not a text.", at: written)
      return Value(json: written)
    }
    if let value = Parser.parseConstValue(Source(text, name: "default value of \(place)")).value ?? nil { return value }
    tolerate("The default value of \"\(place)\" cannot be read: \(text)", at: written)
    return isLenient ? Self.guess(text, type) : nil
  }

  /// What a server means that does not write default values in GraphQL: JSON, or a string without its quotation marks.
  private static func guess(_ text: String, _ type: TypeReference) -> Value? {
    if let json = try? JSONNode(parsing: text.utf8), let value = Value(json: json) { return value }
    guard case .named(let name) = type.kind, !["Int", "Float", "Boolean"].contains(name.value) else { return nil }
    // An empty text is more often no default than an empty string, but for strings.
    if text.utf8.isEmpty, !["String", "ID"].contains(name.value) { return nil }
    return Value(.string(StringValue(text)))
  }
}

extension Value {
  /// A JSON value as a value of GraphQL; nil if it has members whose names GraphQL does not have.
  fileprivate init?(json: JSONNode) {
    switch json.value {
    case .null: self.init(.null)
    case .boolean(let value): self.init(.boolean(value))
    case .number(let digits):
      let isInteger = digits.utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
      }
      self.init(isInteger ? .int(digits) : .float(digits))
    case .string(let text): self.init(.string(StringValue(text)))
    case .array(let elements):
      let values = elements.compactMap { Value(json: $0) }
      guard values.count == elements.count else { return nil }
      self.init(.list(values))
    case .object(let members):
      let fields = members.compactMap { member in
        let name = Name(member.name)
        return name.problem == nil ? Value(json: member.value).map { ObjectField(name: name, value: $0) } : nil
      }
      guard fields.count == members.count else { return nil }
      self.init(.object(fields))
    }
  }
}
