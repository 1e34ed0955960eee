import GraphQLExecution
import GraphQLJSON

/// What a client says.
enum ClientMessage {
  case connectionInit
  case ping(payload: GraphQLValue?)
  case pong
  case subscribe(id: String, ExecutionRequest)
  case complete(id: String)

  /// Why a text is not a message.
  struct Invalid: Error {
    var reason: String
  }

  init(_ text: String) throws(Invalid) {
    let message: GraphQLValue
    do throws(JSONSyntaxError) {
      message = try GraphQLValue(json: text.utf8)
    } catch {
      throw Invalid(reason: "Invalid JSON: \(error)")
    }
    switch message["type"]?.string {
    case "connection_init":
      _ = try Self.payload(of: message)
      self = .connectionInit
    case "ping": self = .ping(payload: try Self.payload(of: message))
    case "pong":
      _ = try Self.payload(of: message)
      self = .pong
    case "subscribe": self = .subscribe(id: try Self.id(of: message), try Self.request(of: message))
    case "complete": self = .complete(id: try Self.id(of: message))
    case let type?: throw Invalid(reason: "Unknown message type \"\(type.prefix(30))\"")
    case nil: throw Invalid(reason: "A message must be an object with a \"type\"")
    }
  }

  /// The payload of a message that may do without one.
  private static func payload(of message: GraphQLValue) throws(Invalid) -> GraphQLValue? {
    guard let payload = message["payload"], !payload.isNull else { return nil }
    guard payload.object != nil else { throw Invalid(reason: "\"payload\" must be an object") }
    return payload
  }

  private static func id(of message: GraphQLValue) throws(Invalid) -> String {
    guard let id = message["id"]?.string, !id.isEmpty else { throw Invalid(reason: "\"id\" must be a string") }
    return id
  }

  private static func request(of message: GraphQLValue) throws(Invalid) -> ExecutionRequest {
    do throws(RequestError) {
      return try ExecutionRequest(message["payload"] ?? .null)
    } catch {
      throw Invalid(reason: error.description)
    }
  }
}
