package import GraphQLSyntax

extension Directive {
  /// The text of an argument; nil if the argument is absent or is not a string.
  package func text(_ name: String) -> String? {
    if case .string(let text)? = argument(name)?.kind { text.value } else { nil }
  }
}

extension String {
  /// Names that are separated by spaces or commas.
  var names: [String] { split { $0 == " " || $0 == "," }.map(String.init) }
  /// The names of a path such as `input.id`.
  var path: [String] { split { $0 == "." }.map(String.init) }
}
