public import GraphQLSchema
import GraphQLSyntax

/// A schema that can answer: a type system with the Swift functions that give its fields their values.
///
/// ```swift
/// let api = try ExecutableSchema(
///   schema,
///   resolvers: [
///     "Query.hero": { _ in ["__typename": "Droid", "name": "R2-D2"] },
///     "Droid.friends": { droid in try await friends(of: droid.source["name"]?.string) },
///   ])
/// let result = await api.execute(document)
/// ```
///
/// A field without a resolver has the value of the member with its name in the object that it is a field of.
public struct ExecutableSchema: Sendable {
  /// Gives a field its value. What it throws becomes an error of the response, with the field's path.
  public typealias Resolver = @Sendable (ResolverContext) async throws -> GraphQLValue
  /// Gives a subscription its events. Each one becomes the root value of one response.
  public typealias Subscriber = @Sendable (ResolverContext) async throws -> EventStream<GraphQLValue>
  /// Names the object type of a value of an interface or union type, or `nil` when it has none.
  public typealias TypeResolver = @Sendable (GraphQLValue) async throws -> String?

  public let schema: Schema

  let coercion: Coercion
  private let resolvers: [String: [String: Resolver]]
  private let subscribers: [String: Subscriber]
  private let typeResolvers: [String: TypeResolver]

  /// - Parameters:
  ///   - resolvers: By field, such as `Query.hero`.
  ///   - subscriptions: By field of the subscription type, such as `Subscription.reviewAdded`.
  ///   - typeResolvers: By interface or union. For those without one, values say their type in a member `__typename`.
  ///   - scalars: By scalar type. Values of those without pass as they are.
  /// - Throws: ``ExecutableSchemaError`` when one of the names is not in the schema.
  public init(
    _ schema: Schema, resolvers: [String: Resolver] = [:], subscriptions: [String: Subscriber] = [:],
    typeResolvers: [String: TypeResolver] = [:], scalars: [String: ScalarCoercion] = [:]
  ) throws(ExecutableSchemaError) {
    var check = CoordinateCheck(schema)
    for name in resolvers.keys { check.checkField(name, in: "resolvers") }
    for name in subscriptions.keys { check.checkSubscription(name, in: "subscriptions") }
    for name in typeResolvers.keys { check.checkAbstractType(name, in: "typeResolvers") }
    for name in scalars.keys { check.checkScalar(name, in: "scalars") }
    try check.finish()

    self.schema = schema
    self.resolvers = resolvers.byTypeAndField
    self.subscribers = subscriptions
    self.typeResolvers = typeResolvers
    self.coercion = Coercion(schema: schema, scalars: scalars)
  }

  func resolver(of field: String, on type: String) -> Resolver? { resolvers[type]?[field] }
  func subscriber(of coordinate: String) -> Subscriber? { subscribers[coordinate] }
  func typeResolver(of type: String) -> TypeResolver? { typeResolvers[type] }
}

/// What a resolver is told about the field whose value it gives.
public struct ResolverContext: Sendable {
  /// The value of the object that the field belongs to; the root value for fields of a root type.
  public let source: GraphQLValue
  /// The arguments by name, defaults filled in. One that was not given and has no default is absent; one that was given
  /// as null is `.null`.
  public let arguments: GraphQLValue.Object
  /// What the caller of `execute` passed along for all resolvers, such as the signed-in user.
  public let context: any Sendable
  /// The field, such as `Query.hero`.
  public let coordinate: String
  /// Where in the response the value will stand.
  public let path: [ExecutionError.PathElement]

  /// The Swift value in an ``GraphQLValue/opaque(_:)`` source.
  ///
  /// - Throws: ``ExecutionError`` when the source is anything else.
  public func source<Object>(as type: Object.Type) throws(ExecutionError) -> Object {
    if case .opaque(let value) = source, let object = value as? Object { return object }
    throw ExecutionError("\(coordinate) expected its object to be a \(Object.self), but it is \(source).")
  }
}
