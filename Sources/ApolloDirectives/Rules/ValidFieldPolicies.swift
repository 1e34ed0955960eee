import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@fieldPolicy(forField:keyArgs:)` names a field that leads to objects, and arguments that a key can be made of.
  static let validFieldPolicies = DirectiveRule { context in
    context.schema.definedTypes.flatMap { type in
      context.directives.fieldPolicies.directives(on: type).compactMap { directive -> Diagnostic? in
        FieldPolicyCheck(schema: context.schema, type: type, directive: directive).problem.map {
          Diagnostic(.invalidFieldPolicy, $0, at: directive)
        }
      }
    }
  }
}

private struct FieldPolicyCheck {
  let schema: Schema
  let type: NamedType
  let directive: Directive

  var problem: DirectiveProblem? {
    // What it says of pages is checked with what other directives say of them.
    if directive.argument("keyArgs") == nil, directive.text("paginationArgs")?.names.isEmpty == false { return nil }
    do {
      try check()
      return nil
    } catch {
      return error
    }
  }

  private func check() throws(DirectiveProblem) {
    guard let name = directive.text("forField"), let paths = directive.text("keyArgs")?.names else {
      throw DirectiveProblem("A field policy needs the arguments \"forField\" and \"keyArgs\".")
    }
    guard let field = schema.field(named: name, on: type) else {
      throw DirectiveProblem(
        "The type \"\(type.name)\" has no field \"\(name)\" to have a policy.", help: type.suggestion(for: name))
    }
    let coordinate = "\(type.name).\(name)"
    guard schema.type(of: field.type)?.isComposite == true else {
      throw DirectiveProblem("\"\(coordinate)\" leads to no object that could be found by a key.")
    }
    let fieldDepth = Self.listDepth(field.type)
    if fieldDepth > 1 { throw DirectiveProblem("\"\(coordinate)\" is a list of lists, which cannot have a policy.") }
    if paths.isEmpty { throw DirectiveProblem("The policy of \"\(coordinate)\" names no argument in \"keyArgs\".") }
    var lists = 0
    for path in paths {
      let types = try schema.types(atPath: path, of: field, called: coordinate)
      guard let last = types.last, schema.type(of: last)?.isLeaf == true else {
        throw DirectiveProblem(
          "\"\(path)\" is an input object, of which no key can be made.",
          help: "Name one of its fields: \"\(path).…\"")
      }
      let depth = types.map(Self.listDepth).reduce(0, +)
      if depth > 1 { throw DirectiveProblem("\"\(path)\" is a list of lists, of which no key can be made.") }
      lists += depth
    }
    if lists > 1 { throw DirectiveProblem("Only one of the arguments in \"keyArgs\" can be a list.") }
    if lists == 1, fieldDepth == 0 {
      throw DirectiveProblem("An argument of the policy is a list, but \"\(coordinate)\" leads to one object.")
    }
    if lists == 0, fieldDepth == 1 {
      throw DirectiveProblem("\"\(coordinate)\" is a list, but no argument in \"keyArgs\" is one.")
    }
  }

  private static func listDepth(_ type: TypeReference) -> Int {
    if case .list(let element) = type.kind { 1 + listDepth(element) } else { 0 }
  }
}
