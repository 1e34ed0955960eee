import ApolloAPI
import GraphQLExecution
import GraphQLSyntax

/// An operation that is expected, and how it is answered.
final class Expectation: Sendable {
  typealias Responder = @Sendable (MockRequest) throws -> MockResponse

  struct State {
    var responder: Responder?
    var delay: Duration = .zero
    var limit: Int?
    var uses = 0
    /// The requests that wait until it has a response.
    var held: [MockRequest] = []
  }

  let operationName: String
  /// The variables, with defaults; nil for any.
  let variables: GraphQLValue.Object?
  let accepts: (@Sendable (GraphQLValue.Object) -> Bool)?
  let defaults: GraphQLValue.Object
  let place: String
  let state = Locked(State())

  init(
    operationName: String, document: String, variables: GraphQLValue.Object?,
    accepts: (@Sendable (GraphQLValue.Object) -> Bool)?, place: String
  ) {
    self.operationName = operationName
    self.accepts = accepts
    self.place = place
    let definition = Parser.parse(document).value.operations.first { $0.name?.value == operationName }
    var defaults = GraphQLValue.Object()
    for variable in definition?.variableDefinitions ?? [] {
      if let value = variable.defaultValue { defaults[variable.name.value] = GraphQLValue(untyped: value) }
    }
    self.defaults = defaults
    self.variables = variables.map { Self.filled($0, defaults) }
  }

  private static func filled(_ variables: GraphQLValue.Object, _ defaults: GraphQLValue.Object) -> GraphQLValue.Object {
    var filled = variables
    for (name, value) in defaults where filled[name] == nil { filled[name] = value }
    return filled
  }

  func filled(_ sent: GraphQLValue.Object) -> GraphQLValue.Object { Self.filled(sent, defaults) }

  /// Whether a request is the one that is expected.
  func fits(_ request: MockRequest) -> Bool {
    guard request.operationName == operationName else { return false }
    let sent = filled(request.variables)
    return (variables.map { $0 == sent } ?? true) && (accepts.map { $0(sent) } ?? true)
  }

  var isUsedUp: Bool { state.withLock { state in state.limit.map { state.uses >= $0 } ?? false } }

  /// Takes a request, if it may take another one.
  ///
  /// - Returns: How it is answered; nil if it may not.
  func take(_ request: MockRequest) -> (responder: Responder?, delay: Duration)? {
    state.withLock { state in
      if let limit = state.limit, state.uses >= limit { return nil }
      state.uses += 1
      if state.responder == nil { state.held.append(request) }
      return (state.responder, state.delay)
    }
  }

  func respond(_ responder: @escaping Responder) {
    let (held, former) = state.withLock { state in
      defer { (state.responder, state.held) = (responder, []) }
      return (state.held, state.responder)
    }
    // (It is code of the app, which is not released under the lock.)
    withExtendedLifetime(former) {}
    for request in held {
      let response: MockResponse
      do { response = try responder(request) } catch { response = .failure(error) }
      // (It may be taken already, and not wait yet.)
      request.answer.give(response, keeps: true)
    }
  }

  /// What differs between what was sent and what is expected; nil if nothing differs.
  func difference(to request: MockRequest) -> String? {
    if isUsedUp { return "used up: it takes \(state.withLock { $0.limit ?? 0 })" }
    let sent = filled(request.variables)
    guard let variables else {
      return accepts.map { $0(sent) } == false ? "its condition does not hold" : nil
    }
    let names = Set(variables.keys).union(sent.keys).sorted()
    let differences = names.compactMap { name -> String? in
      let (wanted, found) = (variables[name], sent[name])
      guard wanted != found else { return nil }
      return "\(name): expected \(wanted?.text ?? "nothing"), found \(found?.text ?? "nothing")"
    }
    return differences.isEmpty ? nil : differences.joined(separator: "; ")
  }

  /// The expectation in a message.
  var description: String {
    "\(operationName) \(variables.map { GraphQLValue.object($0).text } ?? "with any variables")"
      + (accepts == nil ? "" : " and a condition") + " (\(place))"
  }
}
