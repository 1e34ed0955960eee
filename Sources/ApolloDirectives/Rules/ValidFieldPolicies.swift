import GraphQLSchema
import GraphQLSyntax

extension DirectiveRule {
  /// `@fieldPolicy(forField:keyArgs:)` names a field that leads to objects, and arguments that a key can be made of.
  static let validFieldPolicies = DirectiveRule { context in
    context.schema.definedTypes.flatMap { type in
      context.directives.fieldPolicies.directives(on: type).compactMap { directive -> Diagnostic? in
        FieldPolicyCheck(schema: context.schema, type: type, directive: directive).problem.map {
          Diagnostic(.invalidFieldPolicy, $0.message, at: directive.span, help: $0.help)
        }
      }
    }
  }
}

private struct FieldPolicyCheck {
  typealias Problem = (message: String, help: String?)

  let schema: Schema
  let type: NamedType
  let directive: Directive

  var problem: Problem? {
    // What it says of pages is checked with what other directives say of them.
    if directive.argument("keyArgs") == nil, directive.text("paginationArgs")?.names.isEmpty == false { return nil }
    guard let name = directive.text("forField"), let keyArguments = directive.text("keyArgs") else {
      return ("A field policy needs the arguments \"forField\" and \"keyArgs\".", nil)
    }
    guard let field = schema.field(named: name, on: type) else {
      return (
        "The type \"\(type.name)\" has no field \"\(name)\" to have a policy.",
        Suggestions.didYouMean(similar(name, type.fields ?? NamedList()))
      )
    }
    let coordinate = "\(type.name).\(name)"
    guard schema.type(of: field.type)?.isComposite == true else {
      return ("\"\(coordinate)\" leads to no object that could be found by a key.", nil)
    }
    let fieldDepth = Self.listDepth(field.type)
    if fieldDepth > 1 { return ("\"\(coordinate)\" is a list of lists, which cannot have a policy.", nil) }
    let paths = keyArguments.names
    if paths.isEmpty { return ("The policy of \"\(coordinate)\" names no argument in \"keyArgs\".", nil) }
    var lists = 0
    for path in paths {
      switch depth(of: path, field) {
      case .failure(let failure): return (failure.message, failure.help)
      case .success(let depth):
        if depth > 1 { return ("\"\(path)\" is a list of lists, of which no key can be made.", nil) }
        lists += depth
      }
    }
    if lists > 1 { return ("Only one of the arguments in \"keyArgs\" can be a list.", nil) }
    if lists == 1, fieldDepth == 0 {
      return ("An argument of the policy is a list, but \"\(coordinate)\" leads to one object.", nil)
    }
    if lists == 0, fieldDepth == 1 {
      return ("\"\(coordinate)\" is a list, but no argument in \"keyArgs\" is one.", nil)
    }
    return nil
  }

  private struct Failure: Error {
    var message: String
    var help: String?
  }

  /// The number of lists around the value at a path such as `input.id`.
  private func depth(of path: String, _ field: FieldDefinition) -> Result<Int, Failure> {
    let names = path.path
    guard let name = names.first, let argument = field.arguments.first(where: { $0.name.value == name }) else {
      let similar = Suggestions.similar(to: names.first ?? path, among: field.arguments.map(\.name.value))
      return .failure(
        Failure(
          message: "\"\(type.name).\(field.name.value)\" has no argument \"\(names.first ?? path)\".",
          help: Suggestions.didYouMean(similar)))
    }
    var reference = argument.type
    var depth = Self.listDepth(reference)
    for name in names.dropFirst() {
      guard case .inputObject(let object)? = schema.type(of: reference),
        let member = object.fields.first(where: { $0.name.value == name })
      else { return .failure(Failure(message: "There is no \"\(name)\" in \"\(path)\".", help: nil)) }
      reference = member.type
      depth += Self.listDepth(reference)
    }
    guard schema.type(of: reference)?.isLeaf == true else {
      return .failure(
        Failure(
          message: "\"\(path)\" is an input object, of which no key can be made.",
          help: "Name one of its fields: \"\(path).…\""))
    }
    return .success(depth)
  }

  private func similar(_ name: String, _ fields: NamedList<FieldDefinition>) -> [String] {
    Suggestions.similar(to: name, among: fields.map(\.name.value))
  }

  private static func listDepth(_ type: TypeReference) -> Int {
    if case .list(let element) = type.kind { 1 + listDepth(element) } else { 0 }
  }
}
