public import GraphQLSchema
import GraphQLSyntax

/// A schema that can execute operations: a type system, and the Swift functions that give its fields their values.
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
/// A field without a resolver has the value of the member with its name in the object that the field belongs to.
public struct ExecutableSchema: Sendable {
  /// Gives a field its value. An error that it throws becomes an error in the response, with the path of the field.
  public typealias Resolver = @Sendable (ResolverContext) async throws -> GraphQLValue
  /// Gives a subscription its events. Each event becomes the root value of one response.
  public typealias Subscriber = @Sendable (ResolverContext) async throws -> EventStream<GraphQLValue>
  /// Names the object type of a value whose type is an interface or a union; nil if it has none.
  public typealias TypeResolver = @Sendable (GraphQLValue) async throws -> String?

  /// The type system.
  public let schema: Schema
  /// How much a request may ask for.
  public var limits = RequestLimits()
  /// Whether a request is refused that needs a default value of a variable that the type of the variable does not
  /// allow, as the draft says. In earlier editions of the specification the variable has no value then. The default is
  /// true.
  package var refusesInvalidDefaults: Bool {
    get { coercion.refusesInvalidDefaults }
    set { coercion.refusesInvalidDefaults = newValue }
  }

  private(set) var coercion: Coercion
  private let resolvers: [String: [String: Resolver]]
  private let subscribers: [String: Subscriber]
  private let typeResolvers: [String: TypeResolver]

  /// Makes a schema that can execute operations.
  ///
  /// - Parameters:
  ///   - schema: The type system.
  ///   - resolvers: The resolvers by field, such as `Query.hero`. The default is none.
  ///   - subscriptions: The sources of events by field of the subscription type, such as `Subscription.reviewAdded`.
  ///     The default is none.
  ///   - typeResolvers: The type resolvers by interface or union. Without one, a value tells its type in a member
  ///     `__typename`. The default is none.
  ///   - scalars: The conversions by scalar type. Values of other scalars are not changed. The default is none.
  /// - Throws: ``ExecutableSchemaError`` if one of the names is not in the schema.
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

/// The information about a field that its resolver is called with.
public struct ResolverContext: Sendable {
  /// The value of the object that the field belongs to; the root value for fields of a root type.
  public let source: GraphQLValue
  /// The arguments by name, including defaults. An argument that was not given and has no default is absent; one that
  /// was given as null is `.null`.
  public let arguments: GraphQLValue.Object
  /// The value that the caller of `execute` passed for all resolvers, such as the signed-in user.
  public let context: any Sendable
  /// The field with its type, such as `Query.hero`.
  public let coordinate: String
  /// The path of the value in the response.
  public let path: [ExecutionError.PathElement]

  /// The Swift value in a source that is ``GraphQLValue/opaque(_:)``.
  ///
  /// - Parameter type: The type of the Swift value.
  /// - Returns: The Swift value.
  /// - Throws: ``ExecutionError`` if the source is not such a value.
  public func source<Object>(as type: Object.Type) throws(ExecutionError) -> Object {
    if case .opaque(let value) = source, let object = value as? Object { return object }
    throw ExecutionError("\(coordinate) expected its object to be a \(Object.self), but it is \(source).")
  }
}
