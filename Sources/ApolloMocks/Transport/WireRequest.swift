import Foundation
import GraphQLExecution
import GraphQLSyntax

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The operations in a request over HTTP: one in JSON, in the query of an address or beside files; or several in a batch.
struct WireRequest {
  let requests: [MockRequest]
  let isBatch: Bool

  /// Reads a request.
  ///
  /// - Throws: ``MockRequestError`` if there is no operation in it, or its variables are not an object.
  init(_ request: URLRequest) throws(MockRequestError) {
    let value = try Self.value(request)
    let members = value.list ?? [value]
    isBatch = value.list != nil
    var requests: [MockRequest] = []
    for member in members {
      guard let object = member.object else {
        throw MockRequestError("The body of the request is not a GraphQL request.")
      }
      let query = object["query"]?.string
      let name = object["operationName"]?.string ?? query.flatMap(Self.name) ?? ""
      let variables = object["variables"] ?? .null
      guard variables.isNull || variables.object != nil else {
        throw MockRequestError(
          "The variables of a request are an object, and not \(variables).", operationName: name.isEmpty ? nil : name)
      }
      var made = MockRequest(
        operationName: name, query: query, variables: variables.object ?? [:],
        extensions: object["extensions"]?.object ?? [:], urlRequest: request)
      made.onError = object["onError"]?.string
      requests.append(made)
    }
    self.requests = requests
  }

  /// The name of the only operation. (Which of several is meant only the request can say.)
  private static func name(_ query: String) -> String? {
    let operations = Array(Parser.parse(query).value.operations)
    return operations.count == 1 ? operations[0].name?.value : nil
  }

  private static func value(_ request: URLRequest) throws(MockRequestError) -> GraphQLValue {
    guard let body = request.httpBody else { return .object(try members(of: request.url)) }
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    do {
      guard type.lowercased().hasPrefix("multipart/form-data") else { return try GraphQLValue(json: Array(body)) }
      return try withFiles(body)
    } catch {
      throw MockRequestError("The body of the request is not JSON: \(error)")
    }
  }

  /// The members in the query of an address.
  private static func members(of url: URL?) throws(MockRequestError) -> GraphQLValue.Object {
    var components = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
    // A plus sign is a space, as in forms.
    let query = components?.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%20")
    components?.percentEncodedQuery = query
    var members = GraphQLValue.Object()
    for item in components?.queryItems ?? [] {
      guard let value = item.value, !value.isEmpty else { continue }
      if item.name == "variables" || item.name == "extensions" {
        // (What is not JSON stays a text, which neither of them may be.)
        members[item.name] = (try? GraphQLValue(json: Array(value.utf8))) ?? .string(value)
      } else {
        members[item.name] = .string(value)
      }
    }
    guard !members.isEmpty else { throw MockRequestError("The request has no body, and no operation in its address.") }
    return members
  }

  /// The operations of a request with files, in which each file is its name
  /// — [multipart requests](https://github.com/jaydenseric/graphql-multipart-request-spec).
  private static func withFiles(_ body: Data) throws -> GraphQLValue {
    var value = try GraphQLValue(json: part("operations", of: body)?.content ?? [])
    let map = try GraphQLValue(json: part("map", of: body)?.content ?? Array("{}".utf8)).object ?? [:]
    for (name, paths) in map {
      guard let file = part(name, of: body) else { continue }
      for path in paths.list ?? [] {
        value.set(.string(file.fileName ?? name), at: (path.string ?? "").split(separator: ".")[...])
      }
    }
    return value
  }

  /// A part of a request with files.
  private static func part(_ name: String, of body: Data) -> (fileName: String?, content: [UInt8])? {
    guard let start = body.range(of: Data("; name=\"\(name)\"".utf8)),
      let end = body.range(of: Data("\r\n\r\n".utf8), in: start.upperBound..<body.endIndex),
      let next = body.range(of: Data("\r\n--".utf8), in: end.upperBound..<body.endIndex)
    else { return nil }
    let fields = String(decoding: body[start.upperBound..<end.lowerBound], as: UTF8.self)
    let fileName = fields.split(separator: "filename=\"").dropFirst().first?.prefix { $0 != "\"" }
    return (fileName.map(String.init), Array(body[end.upperBound..<next.lowerBound]))
  }
}

extension GraphQLValue {
  /// Replaces a value inside of this one. Nothing happens if there is no such place.
  fileprivate mutating func set(_ value: GraphQLValue, at path: ArraySlice<Substring>) {
    guard let step = path.first else {
      self = value
      return
    }
    if var elements = list, let index = Int(step), elements.indices.contains(index) {
      elements[index].set(value, at: path.dropFirst())
      self = .list(elements)
    } else if var members = object, var member = members[String(step)] {
      member.set(value, at: path.dropFirst())
      members[String(step)] = member
      self = .object(members)
    }
  }
}
