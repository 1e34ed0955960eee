import GraphQLSchema
import GraphQLSyntax

/// Finds the literals in a document that the conversions of a server refuse. The rules of validation know only the
/// scalars of the specification. — [spec](https://spec.graphql.org/September2025/#sec-Values-of-Correct-Type)
struct ScalarLiteralCheck: TypedSyntaxVisitor {
  private let coercion: Coercion
  private var errors: [ExecutionError] = []

  /// Checks a document, which should be valid otherwise.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - coercion: Has the conversions.
  /// - Returns: What is wrong, up to a limit.
  static func errors(in document: Document, _ coercion: Coercion) -> [ExecutionError] {
    guard coercion.scalars.values.contains(where: \.isOfServer) else { return [] }
    var check = ScalarLiteralCheck(coercion)
    SyntaxNode.document(document).walk(&check, in: coercion.schema)
    return check.errors
  }

  private init(_ coercion: Coercion) { self.coercion = coercion }

  mutating func enter(_ node: SyntaxNode, _ types: TypeInfo) -> VisitStep {
    guard case .value(let literal) = node, let type = types.inputType,
      case .scalar(let scalar)? = coercion.schema.type(of: type), coercion.scalars[scalar.name]?.isOfServer == true
    else { return .intoChildren }
    // Its elements are checked one by one.
    if case .list = literal.kind, case .list = type.kind { return .intoChildren }
    // What has variables has its value only when it is executed.
    guard literal.isConstant, !literal.isNull else { return .skipChildren }
    do throws(InvalidLiteral) {
      _ = try coercion.value(of: literal, as: type)
    } catch {
      let problem = "Expected value of type \"\(type)\", found \(Printer.print(literal))"
      errors.append(ExecutionError(error.sentence(problem), at: literal.span))
    }
    return errors.count < Coercion.maximumErrors ? .skipChildren : .stop
  }
}

extension ScalarCoercion {
  /// Whether a server has given it, in place of the rules of the specification.
  fileprivate var isOfServer: Bool { literal == nil }
}

extension Value {
  /// Whether it has no variables.
  fileprivate var isConstant: Bool {
    switch kind {
    case .variable: false
    case .list(let values): values.allSatisfy(\.isConstant)
    case .object(let fields): fields.allSatisfy(\.value.isConstant)
    case .int, .float, .string, .boolean, .null, .enum: true
    }
  }
}
