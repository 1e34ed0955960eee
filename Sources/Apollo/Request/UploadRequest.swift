public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation that is sent with files (GraphQL multipart request specification).
open class UploadRequest<Operation: GraphQLOperation>: HTTPRequest<Operation>, @unchecked Sendable {
  // As its superclass is: one interceptor after the other has it.

  public let requestBodyCreator: any RequestBodyCreator
  public let files: [GraphQLFile]
  public let manualBoundary: String?
  public let sendEnhancedClientAwareness: Bool
  /// Larger bodies are sent from a file.
  static var maximumSizeInMemory: UInt64 { 1 << 20 }
  /// The boundary of this request; a retry has the same.
  private let boundary: String
  private var temporaryFile: TemporaryFile?

  /// - Parameter manualBoundary: Separates the parts of the body; nil for a random text.
  public init(
    graphQLEndpoint: URL, operation: Operation, clientName: String, clientVersion: String,
    additionalHeaders: [String: String] = [:], files: [GraphQLFile], manualBoundary: String? = nil,
    context: (any RequestContext)? = nil, requestBodyCreator: any RequestBodyCreator = ApolloRequestBodyCreator(),
    sendEnhancedClientAwareness: Bool = true
  ) {
    self.requestBodyCreator = requestBodyCreator
    self.files = files
    self.manualBoundary = manualBoundary
    self.sendEnhancedClientAwareness = sendEnhancedClientAwareness
    boundary = manualBoundary ?? MultipartFormData().boundary
    super.init(
      graphQLEndpoint: graphQLEndpoint, operation: operation, contentType: "multipart/form-data; boundary=\(boundary)",
      clientName: clientName, clientVersion: clientVersion, additionalHeaders: additionalHeaders, context: context)
    // A form needs no preflight in browsers: a server that fears forged requests wants to see this.
    addHeader(name: "Apollo-Require-Preflight", value: "true")
  }

  /// The request with its whole body in memory; large ones are sent from a file instead.
  open override func toURLRequest() throws -> URLRequest {
    var request = try super.toURLRequest()
    request.httpMethod = "POST"
    request.httpBody = try requestMultipartFormData().encode()
    return request
  }

  /// The request and the file that is its body; nil if it is small enough for memory.
  func toFileRequest() throws -> (request: URLRequest, body: URL)? {
    // A subclass may have a form of its own, so it is asked for it.
    let form = try requestMultipartFormData()
    guard form.contentLength > Self.maximumSizeInMemory else { return nil }
    let file = TemporaryFile()
    try form.write(toNewFile: file.url)
    temporaryFile = file
    var request = try super.toURLRequest()
    request.httpMethod = "POST"
    request.setValue(String(form.contentLength), forHTTPHeaderField: "Content-Length")
    return (request, file.url)
  }

  /// The form: `operations`, `map`, and the files.
  ///
  /// The files' variables are null in `operations`. A list variable, or several files for one variable, gets a null for
  /// each file.
  open func requestMultipartFormData() throws -> MultipartFormData {
    let form = MultipartFormData(boundary: boundary)
    let names = Set(files.map(\.fieldName)).sorted()
    let sorted = names.flatMap { name in files.filter { $0.fieldName == name } }
    var variables = (try ResponseReader.jsonValue(ResponseBytes(operation.variables.json))) as? JSONObject ?? [:]
    var map: [(String, String)] = []
    for name in names {
      let count = sorted.count { $0.fieldName == name }
      let path = name.split(separator: ".").map(String.init)
      let isList = UploadVariables.clear(&variables, path[...], count: count)
      for index in 0..<count {
        map.append((String(map.count), "variables.\(name)" + (isList || count > 1 ? ".\(index)" : "")))
      }
    }
    var body = requestBodyCreator.requestBody(for: operation, sendQueryDocument: true, autoPersistQuery: false)
    body["variables"] = variables
    if sendEnhancedClientAwareness {
      var extensions = body["extensions"] as? JSONObject ?? [:]
      extensions["clientLibrary"] = ClientLibrary.description
      body["extensions"] = extensions
    }
    form.appendPart(data: Data(RequestBody.json(body)), name: "operations")
    // (Written by hand: the parts count from 0 in the order of their numbers, not of their digits.)
    let entries = map.map { "\"\($0)\":[\(String(decoding: RequestBody.text($1), as: UTF8.self))]" }
    form.appendPart(data: Data("{\(entries.joined(separator: ","))}".utf8), name: "map")
    for (index, file) in sorted.enumerated() { form.append(file, name: String(index)) }
    return form
  }
}

extension RequestBody {
  static func text(_ string: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(string)
    return writer.bytes
  }
}

private enum UploadVariables {
  /// Puts null where a file belongs.
  ///
  /// - Returns: True if the variable is a list.
  static func clear(_ object: inout JSONObject, _ path: ArraySlice<String>, count: Int) -> Bool {
    guard let name = path.first else { return false }
    guard path.count == 1 else {
      var inner = object[name] as? JSONObject ?? [:]
      defer { object[name] = inner }
      return clear(&inner, path.dropFirst(), count: count)
    }
    let list = object[name] as? [JSONValue]
    let nulls: [JSONValue] = Array(repeating: JSONNull(), count: max(list?.count ?? 0, count))
    object[name] = list == nil ? JSONNull() as JSONValue : nulls as JSONValue
    return list != nil
  }
}

/// A file that is removed with the last reference to it.
private final class TemporaryFile: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("apollo-upload-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: url) }
}
