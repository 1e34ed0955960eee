public import ApolloOperations
public import ApolloTransport
public import ApolloAPI
public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An operation that is sent with files (GraphQL multipart request specification).
open class UploadRequest<Operation: GraphQLOperation>: HTTPRequest<Operation>, @unchecked Sendable {
  // As in its superclass, interceptors have it one after the other.

  /// Makes the JSON object of the operation.
  public let requestBodyCreator: any RequestBodyCreator
  /// The files that are sent.
  public let files: [GraphQLFile]
  /// The text that separates the parts of the body; nil for a random text.
  public let manualBoundary: String?
  /// Whether the request names this library and its version, in `extensions`.
  public let sendEnhancedClientAwareness: Bool
  /// The boundary of this request. A retry keeps it.
  private let boundary: String
  /// Where the request that is being made has its body if that is too large for memory; nil: nowhere.
  @exclusivity(unchecked) private var bodyFile: TemporaryFile?
  /// Whether its body is there.
  @exclusivity(unchecked) private var isInFile = false

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - graphQLEndpoint: The address of the server.
  ///   - operation: The operation that is sent, with its variables.
  ///   - clientName: The name of the app, for `apollographql-client-name`.
  ///   - clientVersion: The version of the app, for `apollographql-client-version`.
  ///   - additionalHeaders: Header fields by name.
  ///   - files: The files that are sent.
  ///   - manualBoundary: The text that separates the parts of the body. nil, the default: a random text.
  ///   - context: A value for interceptors of the app. nil, the default: none.
  ///   - requestBodyCreator: Makes the JSON object of the operation.
  ///   - sendEnhancedClientAwareness: Whether the request names this library and its version. The default is true.
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
      .upload, graphQLEndpoint: graphQLEndpoint, operation: operation,
      contentType: "multipart/form-data; boundary=\(boundary)",
      clientName: clientName, clientVersion: clientVersion, additionalHeaders: additionalHeaders, context: context)
    // Browsers send forms without a preflight, so servers that protect against forged requests ask for this field.
    addHeader(name: "Apollo-Require-Preflight", value: "true")
  }

  /// Makes the request. A body of more than 1 MiB is in a file where the chain calls it, so that the request has neither
  /// `httpBody` nor `httpBodyStream`; if an override sets one of them, that is sent. Otherwise it is in memory.
  ///
  /// - Returns: The request.
  /// - Throws: ``OperationError`` for a header field with a line break, or ``GraphQLFile/GraphQLFileError`` for a file
  ///   that cannot be read.
  open override func toURLRequest() throws -> URLRequest {
    let form = try requestMultipartFormData()
    var request = try toRequestHead()
    request.setContentType(of: form)
    if let bodyFile {
      isInFile = try form.attach(to: &request, in: bodyFile)
    } else {
      request.httpBody = try form.encode()
    }
    return request
  }

  /// The request without its body, and without the content type of that.
  func toRequestHead() throws -> URLRequest {
    var request = try super.toURLRequest()
    request.httpMethod = "POST"
    return request
  }

  /// The request, and whether its body is in the file, because it is too large for memory.
  func toRequest(in file: TemporaryFile) throws -> (request: URLRequest, isInFile: Bool) {
    (bodyFile, isInFile) = (file, false)
    defer { bodyFile = nil }
    // A subclass may override it.
    var request = try toURLRequest()
    guard isInFile, request.httpBody != nil || request.httpBodyStream != nil else { return (request, isInFile) }
    // The override has made a body of its own.
    request.setValue(nil, forHTTPHeaderField: "Content-Length")
    return (request, false)
  }

  /// Makes the form: the parts `operations` and `map`, and the files.
  ///
  /// The variables of the files are null in `operations`. A variable that is a list, or has several files, gets a list
  /// with a null for each file.
  ///
  /// - Returns: The form.
  /// - Throws: ``OperationError`` if the operation cannot be written, or has no such variable, or if a path does not fit
  ///   the variables, as where it leads to an object with members; `JSONEncodingError`.
  open func requestMultipartFormData() throws -> MultipartFormData {
    let (operation, files) = try parts()
    return MultipartFormData(boundary: boundary, operations: operation, files: files)
  }

  /// The JSON of the operation, and where in it each of the files belongs.
  func parts() throws -> (operation: Data, files: [UploadedFile]) {
    try Operation.checkFiles(Set(files.map(\.fieldName)))
    var body = RequestBody.make(
      for: operation, by: requestBodyCreator,
      adding: ClientLibrary.extensions(
        isNamed: sendEnhancedClientAwareness, and: requestConfiguration.bodyExtensions),
      onError: requestConfiguration.onError)
    try RequestBody.check(body, of: Operation.self, by: requestBodyCreator)
    // (A creator of the app may send others than those of the operation.)
    let sent = try RequestBody.json(["variables": body["variables"] ?? operation.variables])
    let known = try ResponseReader.jsonValue(ResponseBytes(sent)) as? JSONObject
    var variables = known?["variables"] as? JSONObject ?? [:]
    let names = Set(files.map(\.fieldName)).sorted()
    var placed: [UploadedFile] = []
    for name in names {
      let own = files.filter { $0.fieldName == name }
      let isList = try UploadVariables.clear(
        &variables, name, count: own.count, operationName: Operation.operationName)
      for (index, file) in own.enumerated() {
        placed.append(UploadedFile(path: "variables.\(name)" + (isList ? ".\(index)" : ""), file: file))
      }
    }
    body["variables"] = variables
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
    var writer = __JSONWriter()
    writer.write(string)
    return writer.bytes
  }
}

private enum UploadVariables {
  /// Puts null where a file belongs.
  ///
  /// - Parameters:
  ///   - variables: The variables of the operation.
  ///   - name: The path of the file: the name of a variable, and what leads on from there, with dots between.
  ///   - count: How many files have that path.
  ///   - operationName: The name of the operation, for the error.
  /// - Returns: True if a list is there, because the value is one, or because there are several files.
  /// - Throws: ``OperationError`` if the path does not fit the variables.
  static func clear(_ variables: inout JSONObject, _ name: String, count: Int, operationName: String) throws -> Bool {
    let path = name.split(separator: ".").map(String.init)
    guard let first = path.first else { return false }
    do throws(Misfit) {
      return try clear(&variables[first], path.dropFirst(), count: count)
    } catch {
      throw OperationError(
        .invalidRequest,
        "The path '\(name)' of a file does not fit the variables: \(error.reason(for: name))",
        operationName: operationName)
    }
  }

  /// A path that does not fit what is there.
  private enum Misfit: Error {
    /// One of its components does not lead on.
    case noPlace(component: String, found: String)
    /// There are objects with members, in a list or not, which a null in that place would remove.
    case members(isList: Bool)

    func reason(for name: String) -> String {
      switch self {
      case .noPlace(let component, let found): "'\(component)' is not a place in \(found)."
      case .members(let isList):
        "it leads to \(isList ? "a list of objects" : "an object"), whose members would be lost. Name the member that "
          + "is the file, as in '\(name)\(isList ? ".0" : "").file'."
      }
    }
  }

  private static func hasMembers(_ value: JSONValue?) -> Bool {
    if let object = value as? JSONObject { return !object.isEmpty }
    return (value as? [JSONValue])?.contains { hasMembers($0) } ?? false
  }

  private static func clear(
    _ value: inout JSONValue?, _ path: ArraySlice<String>, count: Int
  ) throws(Misfit) -> Bool {
    guard let component = path.first else {
      let list = value as? [JSONValue]
      if hasMembers(value) { throw Misfit.members(isList: list != nil) }
      let isList = list != nil || count > 1
      let nulls: [JSONValue] = Array(repeating: JSONNull(), count: max(list?.count ?? 0, count))
      value = isList ? nulls as JSONValue : JSONNull() as JSONValue
      return isList
    }
    if var list = value as? [JSONValue] {
      guard let index = Int(component), list.indices.contains(index), "\(index)" == component else {
        throw Misfit.noPlace(component: component, found: "a list of length \(list.count)")
      }
      var element: JSONValue? = list[index]
      let isList = try clear(&element, path.dropFirst(), count: count)
      list[index] = element ?? JSONNull() as JSONValue
      value = list as JSONValue
      return isList
    }
    // Where there is no value yet, a name makes an object; a number makes no list.
    var object: JSONObject
    if let known = value as? JSONObject {
      object = known
    } else if value == nil || value is JSONNull {
      object = [:]
    } else {
      throw Misfit.noPlace(component: component, found: "a value that is neither an object nor a list")
    }
    guard object[component] != nil || Int(component) == nil else {
      throw Misfit.noPlace(component: component, found: object.isEmpty ? "an empty value" : "an object")
    }
    let isList = try clear(&object[component], path.dropFirst(), count: count)
    value = object as JSONValue
    return isList
  }
}

extension HTTPRequest {
  /// The request, if it has files.
  var asUpload: UploadRequest<Operation>? { form == .upload ? known(self, as: UploadRequest<Operation>.self) : nil }
}

extension URLRequest {
  /// Sets the content type of a form, also where a header field of the app says another one: the server finds the parts by it.
  mutating func setContentType(of form: MultipartFormData) {
    setValue("multipart/form-data; boundary=\(form.boundary)", forHTTPHeaderField: "Content-Type")
  }
}
