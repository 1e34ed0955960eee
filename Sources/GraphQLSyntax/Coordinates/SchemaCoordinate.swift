/// The name of one element of a schema, such as `User.posts(first:)`
/// — [spec](https://spec.graphql.org/September2025/#sec-Schema-Coordinates)
public enum SchemaCoordinate: Sendable, Hashable {
  /// A type, such as `User`.
  case type(String)
  /// A field, an input field or an enum value, such as `User.name`.
  case member(type: String, name: String)
  /// An argument of a field, such as `User.posts(first:)`.
  case argument(type: String, field: String, name: String)
  /// A directive, such as `@deprecated`.
  case directive(String)
  /// An argument of a directive, such as `@deprecated(reason:)`.
  case directiveArgument(directive: String, name: String)
}

extension SchemaCoordinate: CustomStringConvertible {
  /// The coordinate as it is written, such as `User.posts(first:)`.
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
  /// Parses a coordinate. Spaces and comments are errors.
  ///
  /// - Parameter source: The text of the coordinate.
  /// - Returns: The coordinate, or nil and the errors.
  public static func parse(_ source: Source) -> Parsed<SchemaCoordinate?> {
    var parser = SchemaCoordinateParser(source)
    do throws(SyntaxError) {
      return Parsed(try parser.parse())
    } catch {
      return Parsed(nil, diagnostics: parser.diagnostics)
    }
  }

  /// Makes a coordinate of a text; nil if the text is not a coordinate.
  public init?(_ text: String) {
    guard let coordinate = Self.parse(Source(text, name: "coordinate")).value else { return nil }
    self = coordinate
  }
}
