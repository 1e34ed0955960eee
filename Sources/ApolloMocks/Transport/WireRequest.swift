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
  /// - Throws: ``MockRequestError`` if there is no operation in it.
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
      var made = MockRequest(
        operationName: name, query: query, variables: object["variables"]?.object ?? [:],
        extensions: object["extensions"]?.object ?? [:], urlRequest: request)
      made.onError = object["onError"]?.string
      requests.append(made)
    }
    self.requests = requests
  }

  private static func name(_ query: String) -> String? {
    Parser.parse(query).value.operations.first { _ in true }?.name?.value
  }

  private static func value(_ request: URLRequest) throws(MockRequestError) -> GraphQLValue {
    guard let body = request.httpBody else { return .object(try members(of: request.url)) }
    let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
    let json = type.lowercased().hasPrefix("multipart/form-data") ? operations(in: body) : Array(body)
    do {
      return try GraphQLValue(json: json)
    } catch {
      throw MockRequestError("The body of the request is not JSON: \(error)")
    }
  }

  /// The members in the query of an address.
  private static func members(of url: URL?) throws(MockRequestError) -> GraphQLValue.Object {
    let items = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }?.queryItems ?? []
    var members = GraphQLValue.Object()
    for item in items {
      guard let value = item.value else { continue }
      if item.name == "variables" || item.name == "extensions" {
        members[item.name] = try? GraphQLValue(json: Array(value.utf8))
      } else {
        members[item.name] = .string(value)
      }
    }
    guard !members.isEmpty else { throw MockRequestError("The request has no body, and no operation in its address.") }
    return members
  }

  /// The part `operations` of a request with files.
  private static func operations(in body: Data) -> [UInt8] {
    let marks = [Data("name=\"operations\"".utf8), Data("\r\n\r\n".utf8), Data("\r\n--".utf8)]
    var start = body.startIndex, range: Range<Data.Index>?
    for mark in marks {
      guard let found = body.range(of: mark, in: start..<body.endIndex) else { return [] }
      if mark == marks[2] { range = start..<found.lowerBound }
      start = found.upperBound
    }
    return range.map { Array(body[$0]) } ?? []
  }
}
