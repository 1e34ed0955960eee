import GraphQLSchema
public import GraphQLSyntax

/// A rule that a type system must obey as a whole, extensions merged in.
public struct TypeSystemRule: Sendable {
  /// What the rule is about, such as `Interfaces`.
  public let name: String
  /// The section of the specification that states it.
  public let section: String
  /// The codes of what it reports.
  public let codes: [Diagnostic.Code]
  let check: @Sendable (Schema) -> [Diagnostic]

  init(
    _ name: String, section: String, reports codes: Diagnostic.Code...,
    check: @escaping @Sendable (Schema) -> [Diagnostic]
  ) {
    self.name = name
    self.section = section
    self.codes = codes
    self.check = check
  }

  /// All rules, in the order of the specification's chapter 3.
  public static let all: [TypeSystemRule] = [
    .rootTypes,  // 3.3.1
    .reservedNames,  // 3, "Type System Documents"
    .nonEmptyTypes,  // 3.6 to 3.10
    .fieldTypes,  // 3.6, 3.7, 3.10, 3.13
    .interfaceImplementations,  // 3.6, 3.7
    .unionMembers,  // 3.8
    .inputObjectCycles,  // 3.10
    .oneOfInputObjects,  // 3.10.1
    .requiredDeprecations,  // 3.13.3
    .defaultValues,  // 3.6, 3.10
    .defaultValueCycles,  // 3.10
    .directiveCycles,  // 3.13
  ]
}

/// An input value of a schema with what messages call it.
struct InputCoordinate {
  enum Owner {
    case directive(Name)
    case field(Name, of: String)
    case inputObject(String)
  }

  var owner: Owner
  var definition: InputValueDefinition

  /// `Query.user(id:)`, `@include(if:)` or `Filter.name`.
  var text: String {
    switch owner {
    case .directive(let name): "@\(name)(\(definition.name):)"
    case .field(let name, let type): "\(type).\(name)(\(definition.name):)"
    case .inputObject(let type): "\(type).\(definition.name)"
    }
  }
}

extension Schema {
  /// The arguments of all directives and fields that documents defined.
  var definedArguments: [InputCoordinate] {
    let ofDirectives = definedDirectives.flatMap { directive in
      directive.arguments.map { InputCoordinate(owner: .directive(directive.name), definition: $0) }
    }
    let ofFields = definedTypes.flatMap { type in
      (type.fields ?? NamedList()).flatMap { field in
        field.arguments.map { InputCoordinate(owner: .field(field.name, of: type.name), definition: $0) }
      }
    }
    return ofDirectives + ofFields
  }

  /// The input objects that documents defined.
  var definedInputObjects: [InputObjectType] {
    definedTypes.compactMap { if case .inputObject(let type) = $0 { type } else { nil } }
  }

  /// The fields of the input objects that documents defined.
  var definedInputFields: [InputCoordinate] {
    definedInputObjects.flatMap { type in
      type.fields.map { InputCoordinate(owner: .inputObject(type.name), definition: $0) }
    }
  }
}
