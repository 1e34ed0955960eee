import ApolloCache
import GraphQLExecution
import GraphQLSchema
import GraphQLSyntax

/// Answers every field of a schema with the values of a mock.
struct MockEngine: Sendable {
  let world: MockWorld
  let api: ExecutableSchema

  init(_ world: MockWorld) throws {
    self.world = world
    let facts = world.facts, schema = facts.schema
    var resolvers: [String: ExecutableSchema.Resolver] = [:]
    for type in schema.allTypes {
      guard let object = schema.object(named: type.name), !object.name.hasPrefix("__") else { continue }
      for field in object.fields {
        resolvers["\(object.name).\(field.name)"] = { try await Self.resolve(field, of: object.name, $0, world) }
      }
    }
    var subscriptions: [String: ExecutableSchema.Subscriber] = [:]
    if let type = schema.subscriptionType {
      for field in type.fields {
        subscriptions["\(type.name).\(field.name)"] = { Self.events(of: field.name.value, of: type.name, $0, world) }
      }
    }
    var typeResolvers: [String: ExecutableSchema.TypeResolver] = [:]
    for type in schema.allTypes where type.isAbstract && !type.name.hasPrefix("__") {
      typeResolvers[type.name] = { MockNode($0)?.id.type ?? $0["__typename"]?.string }
    }
    api = try ExecutableSchema(
      schema, resolvers: resolvers, subscriptions: subscriptions, typeResolvers: typeResolvers)
  }

  private static func resolve(
    _ field: FieldDefinition, of type: String, _ context: ResolverContext, _ world: MockWorld
  ) async throws -> GraphQLValue {
    let coordinate = context.coordinate, rules = world.rules
    let isRoot = world.facts.roots.contains(type)
    if let latency = rules.latencies[coordinate] ?? (isRoot ? rules.latencies[""] : nil) {
      let clock = (context.context as? MockCall)?.clock ?? .system
      try await clock.sleep(until: clock.now + latency)
    }
    if let failure = rules.failures[coordinate], world.state.count(coordinate) % failure.every == 0 {
      throw ExecutionError(failure.message)
    }
    let node = MockNode(context.source) ?? world.root(type)
    // (The root value of an event has the field of the subscription.)
    if let event = context.source.object?[field.name.value] {
      let place = Place(world, node, field, context.arguments)
      return world.withoutRemoved(try world.adopt(event, as: field.type, place))
    }
    guard isRoot, type == world.facts.schema.mutationType?.name, rules.echoes, rules.resolvers[coordinate] == nil else {
      return world.withoutRemoved(try world.value(of: field, on: node, context.arguments))
    }
    return try world.mutate(field, on: node, context.arguments)
  }

  /// The events of a subscription: those that are published, and one after each interval if there is one.
  private static func events(
    of field: String, of type: String, _ context: ResolverContext, _ world: MockWorld
  ) -> EventStream<GraphQLValue> {
    let (stream, continuation) = world.state.events.events(of: field, context.arguments)
    guard let interval = world.rules.rhythms[context.coordinate], let definition = world.facts.field(field, of: type)
    else { return EventStream(stream.map { [field: $0] }) }
    let clock = (context.context as? MockCall)?.clock ?? .system
    let arguments = context.arguments
    let task = Task {
      var number = 0
      while !Task.isCancelled {
        do {
          try await clock.sleep(until: clock.now + interval)
        } catch {
          break
        }
        number += 1
        // Each event is a place of its own.
        let node = MockNode(ObjectID(type: type, key: "event \(number)"), name: "event \(number)")
        let result = Result { try world.value(of: definition, on: node, arguments) }
        switch result {
        case .success(let value): continuation.yield(value)
        case .failure(let error): continuation.yield(.opaque(error))
        }
      }
    }
    return EventStream(EndingStream(stream: stream, task: task).map { [field: $0] })
  }
}

/// What an execution knows besides the operation.
struct MockCall: Sendable {
  var clock: any ClientClock
}

/// A stream, with a task that ends when it is released.
private struct EndingStream: AsyncSequence, Sendable {
  typealias Element = GraphQLValue
  let stream: AsyncStream<GraphQLValue>
  private let end: End

  init(stream: AsyncStream<GraphQLValue>, task: Task<Void, Never>) {
    self.stream = stream
    end = End(task)
  }

  func makeAsyncIterator() -> Iterator { Iterator(base: stream.makeAsyncIterator(), end: end) }

  struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<GraphQLValue>.Iterator
    fileprivate let end: End

    mutating func next() async -> GraphQLValue? { await base.next() }
  }

  fileprivate final class End: Sendable {
    private let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
  }
}

extension MockWorld {
  /// A value without objects that were removed.
  func withoutRemoved(_ value: GraphQLValue) -> GraphQLValue {
    if let node = MockNode(value), state.isRemoved(node.id) { return .null }
    return value
  }
}
