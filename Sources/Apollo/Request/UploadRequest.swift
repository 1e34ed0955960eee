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
    var request = try toRequestHead()
    request.httpBody = try requestMultipartFormData().encode()
    return request
  }

  /// The request without its body.
  func toRequestHead() throws -> URLRequest {
    var request = try super.toURLRequest()
    request.httpMethod = "POST"
    return request
  }

  /// The request and the file that is its body; nil if it is small enough for memory.
  func toFileRequest() throws -> (request: URLRequest, body: URL)? {
    // A subclass may have a form of its own, so it is asked for it.
    let form = try requestMultipartFormData()
    guard form.contentLength > MultipartFormData.maximumSizeInMemory else { return nil }
    var request = try toRequestHead()
    let file = try form.attach(to: &request)
    temporaryFile = file
    return file.map { (request, $0.url) }
  }

  /// The form: `operations`, `map`, and the files.
  ///
  /// The files' variables are null in `operations`. A list variable, or several files for one variable, gets a null for
  /// each file.
  open func requestMultipartFormData() throws -> MultipartFormData {
    let (operation, files) = try parts()
    return MultipartFormData(boundary: boundary, operations: operation, files: files)
  }

  /// The JSON of the operation, and where in it each of the files belongs.
  func parts() throws -> (operation: Data, files: [UploadedFile]) {
    let names = Set(files.map(\.fieldName)).sorted()
    var variables = (try ResponseReader.jsonValue(ResponseBytes(operation.variables.json))) as? JSONObject ?? [:]
    var placed: [UploadedFile] = []
    for name in names {
      let own = files.filter { $0.fieldName == name }
      let path = name.split(separator: ".").map(String.init)
      let isList = UploadVariables.clear(&variables, path[...], count: own.count)
      for (index, file) in own.enumerated() {
        placed.append(UploadedFile(path: "variables.\(name)" + (isList ? ".\(index)" : ""), file: file))
      }
    }
    var body = try RequestBody.make(for: operation, by: requestBodyCreator)
    body["variables"] = variables
    if sendEnhancedClientAwareness { RequestBody.add(["clientLibrary": ClientLibrary.description], to: &body) }
    RequestBody.add(requestConfiguration.bodyExtensions, to: &body)
    return (Data(try RequestBody.json(body)), placed)
  }
}

/// A file, and where it belongs: `variables.files.0`.
struct UploadedFile: Sendable {
  var path: String
  let file: GraphQLFile
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
  /// - Returns: True if the variable is a list, as it is said to be, or as several files need it to be.
  static func clear(_ object: inout JSONObject, _ path: ArraySlice<String>, count: Int) -> Bool {
    guard let name = path.first else { return false }
    guard path.count == 1 else {
      var inner = object[name] as? JSONObject ?? [:]
      defer { object[name] = inner }
      return clear(&inner, path.dropFirst(), count: count)
    }
    let list = object[name] as? [JSONValue]
    let isList = list != nil || count > 1
    let nulls: [JSONValue] = Array(repeating: JSONNull(), count: max(list?.count ?? 0, count))
    object[name] = isList ? nulls as JSONValue : JSONNull() as JSONValue
    return isList
  }
}
