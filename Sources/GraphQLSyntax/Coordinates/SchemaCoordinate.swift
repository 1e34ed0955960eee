/// The name of one element of a schema, such as `User.posts(first:)`
/// — [spec](https://spec.graphql.org/September2025/#sec-Schema-Coordinates)
public enum SchemaCoordinate: Sendable, Hashable {
  /// `User`
  case type(String)
  /// `User.name`: a field, an input field or an enum value.
  case member(type: String, name: String)
  /// `User.posts(first:)`
  case argument(type: String, field: String, name: String)
  /// `@deprecated`
  case directive(String)
  /// `@deprecated(reason:)`
  case directiveArgument(directive: String, name: String)
}

extension SchemaCoordinate: CustomStringConvertible {
  public var description: String {
    switch self {
    case .type(let name): name
    case .member(let type, let name): "\(type).\(name)"
    case .argument(let type, let field, let name): "\(type).\(field)(\(name):)"
    case .directive(let name): "@\(name)"
    case .directiveArgument(let directive, let name): "@\(directive)(\(name):)"
    }
  }
}

extension SchemaCoordinate {
  /// Reads a coordinate, in which spaces and comments are errors. The value is `nil` when there is an error.
  public static func parse(_ source: Source) -> Parsed<SchemaCoordinate?> {
    var parser = SchemaCoordinateParser(source)
    do throws(SyntaxError) {
      return Parsed(try parser.parse())
    } catch {
      return Parsed(nil, diagnostics: parser.diagnostics)
    }
  }

  /// Reads a coordinate; `nil` when the text is none.
  public init?(_ text: String) {
    guard let coordinate = Self.parse(Source(text, name: "coordinate")).value else { return nil }
    self = coordinate
  }
}
