import GraphQLSchema
import GraphQLSyntax

/// What is wrong with a directive, apart from its place.
struct DirectiveProblem: Error {
  var message: String
  var help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

extension Diagnostic {
  init(_ code: Code, _ problem: DirectiveProblem, at directive: Directive) {
    self.init(code, problem.message, at: directive.span, help: problem.help)
  }
}

extension NamedType {
  /// The fields of the type with names like that of a field that it does not have, as a question.
  func suggestion(for field: String) -> String? {
    Suggestions.didYouMean(Suggestions.similar(to: field, among: (fields ?? NamedList()).map(\.name.value)))
  }
}

extension Schema {
  /// The type of an argument, and those of the members that a path such as `input.id` leads to.
  ///
  /// - Parameters:
  ///   - path: The name of an argument, or a path.
  ///   - field: The field with the argument.
  ///   - coordinate: The name of the field in messages.
  /// - Returns: One type for each name of the path.
  /// - Throws: A problem if there is no such argument or member.
  func types(
    atPath path: String, of field: FieldDefinition, called coordinate: String
  ) throws(DirectiveProblem) -> [TypeReference] {
    let names = path.path, name = names.first ?? path
    guard let argument = field.arguments.first(where: { $0.name.value == name }) else {
      let similar = Suggestions.similar(to: name, among: field.arguments.map(\.name.value))
      throw DirectiveProblem(
        "\"\(coordinate)\" has no argument \"\(name)\".", help: Suggestions.didYouMean(similar))
    }
    var types = [argument.type]
    for name in names.dropFirst() {
      guard case .inputObject(let object)? = type(of: types[types.count - 1]),
        let member = object.fields.first(where: { $0.name.value == name })
      else { throw DirectiveProblem("There is no \"\(name)\" in \"\(path)\".") }
      types.append(member.type)
    }
    return types
  }
}
