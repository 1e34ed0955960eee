import GraphQLSchema
import GraphQLSyntax

/// The fields that identify an object in the cache: `@typePolicy(keyFields: "isbn edition")` on its type, or on an
/// interface that it implements.
struct KeyFields {
  let schema: Schema
  private let directiveNames: Set<String>

  /// Reads the directives of a schema.
  init(schema: Schema) {
    self.schema = schema
    directiveNames = PolicyDirective.typePolicy.names(in: schema)
  }

  /// The key fields of a type; empty if its objects have no key.
  ///
  /// An abstract type has key fields if all its possible types have equal ones. Otherwise the keys depend on the types of
  /// objects (``PossibleTypeKeys``): `Dog:1` must not be one object by `id` in one place, and another by `code`
  /// elsewhere.
  func of(_ type: NamedType?) -> [String] {
    guard let type else { return [] }
    guard type.isAbstract else { return declared(on: type) ?? [] }
    let possible = schema.possibleTypes(of: type).map { declared(on: .object($0)) ?? [] }
    guard let first = possible.first ?? declared(on: type), !first.isEmpty, possible.allSatisfy({ $0 == first }),
      first.allSatisfy({ type.fields?.contains($0) ?? false })
    else { return [] }
    return first
  }

  /// Whether the schema says which key fields an object type has, or that it has none.
  func isDeclared(on type: NamedType) -> Bool { declared(on: type) != nil }

  private func declared(on type: NamedType) -> [String]? {
    if let own = policy(of: type) { return own }
    for name in type.interfaces {
      if let interface = schema.type(named: name.value), let inherited = policy(of: interface) { return inherited }
    }
    return nil
  }

  /// The key fields of the policy on the type itself; nil if it has none.
  func policy(of type: NamedType) -> [String]? { directive(on: type)?.text("keyFields")?.names }

  /// The policy on the type itself; nil if it has none.
  func directive(on type: NamedType) -> Directive? {
    type.directives.first { directiveNames.contains($0.name.value) }
  }
}
