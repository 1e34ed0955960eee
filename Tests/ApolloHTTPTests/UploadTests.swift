import Foundation
import ScriptedServer
import StyledTests
import Testing
import Waiting

@testable import Apollo

struct UploadMutation: GraphQLMutation {
  static let operationName = "Rename"
  static let operationDocument = OperationDocument("mutation Rename { rename { __typename id name height } }")
  var write: @Sendable (inout __JSONWriter) -> Void = { _ in }
  func __writeVariables(to writer: inout __JSONWriter) { write(&writer) }
  static func == (a: Self, b: Self) -> Bool { a.variables == b.variables }
  func hash(into hasher: inout Hasher) { hasher.combine(variables) }
  typealias Data = RenameMutation.Data
}

@Suite("Uploads", .everyStyle)
struct UploadTests {
  func request(
    _ files: [GraphQLFile], _ write: @escaping @Sendable (inout __JSONWriter) -> Void
  ) -> UploadRequest<UploadMutation> {
    UploadRequest(
      graphQLEndpoint: URL(string: "http://localhost/")!, operation: UploadMutation(write: write), clientName: "c",
      clientVersion: "v", files: files, manualBoundary: "B", sendEnhancedClientAwareness: false)
  }

  func file(_ field: String, _ name: String, _ text: String = "text") -> GraphQLFile {
    GraphQLFile(fieldName: field, originalName: name, mimeType: "text/plain", data: Data(text.utf8))
  }

  // (Where several files are of one variable that is not a list, Apollo's library leaves a single null. Servers refuse the
  // paths into it, so ours makes it a list.)
  @Test("Variables of files are null, and the map counts them sorted by variable")
  func variablesAndMap() throws {
    let files = [file("uploads", "a.txt", "A"), file("uploads", "b.txt", "B"), file("secondField", "c.txt", "C")]
    let form = try request(files) { writer in
      writer.write("singleFile", "a.txt")
      writer.write("multipleFiles", ["b.txt", "c.txt"])
    }.requestMultipartFormData()
    #expect(
      String(decoding: try form.encode(), as: UTF8.self)
        == [
          "--B", #"Content-Disposition: form-data; name="operations""#, "",
          #"{"operationName":"Rename","query":"mutation Rename { rename { __typename id name height } }","variables":{"multipleFiles":["b.txt","c.txt"],"secondField":null,"singleFile":"a.txt","uploads":[null,null]}}"#,
          "--B", #"Content-Disposition: form-data; name="map""#, "",
          #"{"0":["variables.secondField"],"1":["variables.uploads.0"],"2":["variables.uploads.1"]}"#,
          "--B", #"Content-Disposition: form-data; name="0"; filename="c.txt""#, "Content-Type: text/plain", "", "C",
          "--B", #"Content-Disposition: form-data; name="1"; filename="a.txt""#, "Content-Type: text/plain", "", "A",
          "--B", #"Content-Disposition: form-data; name="2"; filename="b.txt""#, "Content-Type: text/plain", "", "B",
          "--B--",
        ].joined(separator: "\r\n"))
  }

  @Test("A list of one file is a list, and a file may belong to a member of an input object")
  func listsAndObjects() throws {
    let body = String(
      decoding: try request([file("files", "a"), file("input.avatar", "b")]) { writer in
        writer.write("files", ["x"])
        writer.write("other", 1)
      }.requestMultipartFormData().encode(), as: UTF8.self)
    #expect(body.contains(#""variables":{"files":[null],"input":{"avatar":null},"other":1}"#), "\(body)")
    #expect(body.contains(#"{"0":["variables.files.0"],"1":["variables.input.avatar"]}"#))
  }

  /// A variable of any form.
  private struct AnyVariable: __JSONWritable {
    let value: JSONValue
    func __write(to writer: inout __JSONWriter) { writer.writeJSON(value) }
  }

  @Test("A file may belong to an element of a list, or to a member of one: the rest of the list stays")
  func elements() throws {
    let one: JSONObject = ["caption": "a", "file": "x"], other: JSONObject = ["caption": "b", "file": "y"]
    let inputs: [JSONValue] = [one, other]
    let files = [file("inputs.0.file", "a"), file("inputs.1.file", "b"), file("files.0", "c")]
    let body = String(
      decoding: try request(files) { writer in
        writer.write("inputs", AnyVariable(value: inputs))
        writer.write("files", ["x", "y"])
      }.requestMultipartFormData().encode(), as: UTF8.self)
    let variables = #""files":[null,"y"],"inputs":[{"caption":"a","file":null},{"caption":"b","file":null}]"#
    #expect(body.contains(#""variables":{\#(variables)}"#), "\(body)")
    let map = #"{"0":["variables.files.0"],"1":["variables.inputs.0.file"],"2":["variables.inputs.1.file"]}"#
    #expect(body.contains(map), "\(body)")
  }

  @Test(
    "A path that does not fit the variables is an error that names it",
    arguments: [
      "inputs.1.file", "inputs.file", "inputs.00.file", "inputs.0.caption.file", "none.0", "inputs.0.1",
      // A null in the place of an object would remove its other members.
      "inputs", "inputs.0",
    ])
  func misfit(_ path: String) {
    let input: JSONObject = ["caption": "a", "file": JSONNull()]
    let inputs: [JSONValue] = [input]
    let error = #expect(throws: OperationError.self) {
      try request([file(path, "a")]) { $0.write("inputs", AnyVariable(value: inputs)) }.requestMultipartFormData()
    }
    #expect(error?.code == .invalidRequest)
    #expect(error?.message.contains("The path '\(path)' of a file does not fit") == true, "\(error as Any)")
  }

  @Test("Names that would break the form are escaped as browsers escape them")
  func fileNames() throws {
    let body = String(
      decoding: try request([file("f", "a\"b\r\nX: y.txt")]) { _ in }.requestMultipartFormData().encode(), as: UTF8.self
    )
    #expect(body.contains(#"filename="a%22b%0D%0AX: y.txt""#))
  }

  private struct Attach: GraphQLMutation {
    static let operationName = "Attach"
    static let operationDocument = OperationDocument(
      #"mutation Attach($issue: Issue = {note: "$no: (\" Upload"}, $file: Upload!, $more: [Upload!]) { attach }"#)
    var write: @Sendable (inout __JSONWriter) -> Void = { _ in }
    func __writeVariables(to writer: inout __JSONWriter) { write(&writer) }
    static func == (a: Self, b: Self) -> Bool { a.variables == b.variables }
    func hash(into hasher: inout Hasher) { hasher.combine(variables) }
    typealias Data = RenameMutation.Data
  }

  @Test("A file for a variable that there is not is an error that names those that there are")
  func unknownVariable() async throws {
    try await serve { _, _ in
      [.respond("{}")]
    } _: { server async throws in
      for name in ["fil", "no", "issues.file", ""] {
        let error = await #expect(throws: OperationError.self) {
          try await client(server).upload(operation: Attach(), files: [file(name, "a.txt")])
        }
        #expect(error?.code == .invalidRequest && error?.operationName == "Attach")
        #expect(error?.message.contains("It has 'issue', 'file', 'more'.") == true, "\(error as Any)")
      }
    }
  }

  @Test("An empty text is not sent in place of a file: `perform` says what is; another value of the type is sent")
  func performed() async throws {
    try await serve { _, _ in
      [.respond(#"{"data":{"rename":{"__typename":"Droid","id":"1","name":"a","height":1}}}"#)]
    } _: { server async throws in
      let mutations = ["file": Attach { $0.write("file", "") }, "more": Attach { $0.write("more", ["a", ""]) }]
      for (name, mutation) in mutations {
        let error = await #expect(throws: OperationError.self) { try await client(server).perform(mutation: mutation) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("'upload(operation:files:)', with 'fieldName' \"\(name)\"") == true)
      }
      // Without a value there is no file to miss. A text may name a file that the server has; `Upload` may be an input
      // object.
      let object: JSONObject = ["url": ""]
      for others in [
        Attach { $0.write("file", GraphQLNullable<String>.null) }, Attach { $0.write("file", "key") },
        Attach { $0.write("file", AnyVariable(value: object)) },
      ] { _ = try await client(server).perform(mutation: others) }
    }
  }

  @Test("A symbolic link is sent as the file that it leads to")
  func link() throws {
    let folder = FileManager.default.temporaryDirectory
    let url = folder.appendingPathComponent("file-\(UUID().uuidString)")
    let link = folder.appendingPathComponent("link-\(UUID().uuidString)")
    #expect(FileManager.default.createFile(atPath: url.path, contents: Data(count: 1234)))
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    defer { for file in [url, link] { try? FileManager.default.removeItem(at: file) } }
    #expect(try GraphQLFile(fieldName: "file", originalName: "a", fileURL: link).contentLength == 1234)
  }

  @Test("A file that is not there is an error that names it")
  func missing() {
    let url = URL(fileURLWithPath: "/nowhere/at/all.txt")
    let error = #expect(throws: GraphQLFile.GraphQLFileError.self) {
      try GraphQLFile(fieldName: "f", originalName: "a", fileURL: url)
    }
    #expect(error?.message.contains("/nowhere/at/all.txt") == true)
  }

  @Test(
    "A file that is gone when it is to be sent is an error with its path, whatever its size", arguments: [10, 3 << 20])
  func gone(size: Int) async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("gone-\(UUID().uuidString)")
    #expect(FileManager.default.createFile(atPath: url.path, contents: Data(count: size)))
    let file = try GraphQLFile(fieldName: "file", originalName: "a", fileURL: url)
    try FileManager.default.removeItem(at: url)
    #expect(throws: GraphQLFile.GraphQLFileError.couldNotReadFile(fileURL: url)) { try file.generateInputStream() }
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      var batching = DefaultInterceptorProvider.Options()
      batching.batcher = RequestChainNetworkTransport.RequestBatcher()
      for options in [.init(), batching] {
        let error = await #expect(throws: OperationError.self) {
          try await client(server, provider: options).upload(operation: RenameMutation(), files: [file])
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(url.path) == true, "\(error as Any)")
        #expect(error?.cause is GraphQLFile.GraphQLFileError)
      }
    }
    #expect(requests.isEmpty)
  }

  @Test("A file that has changed its size since it was named is sent as it is now, with its length")
  func changed() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("changed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(FileManager.default.createFile(atPath: url.path, contents: Data(count: 3 << 20)))
    let file = try GraphQLFile(fieldName: "file", originalName: "a", fileURL: url)
    try Data("short".utf8).write(to: url)
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      _ = try await client(server).upload(operation: RenameMutation(), files: [file])
    }
    #expect(requests.first?.body.contains("\r\n\r\nshort\r\n--") == true)
  }

  @Test("A small upload is one request with a length, and a header field against forged requests")
  func small() async throws {
    let requests = try await serve { _, _ in
      [.respond(hero(field: "rename"))]
    } _: { server async throws in
      let result = try await client(server).upload(operation: RenameMutation(), files: [file("file", "a.txt")])
      #expect(result.data?.rename.name == "R2-D2")
    }
    #expect(requests[0].headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(requests[0].headers["apollo-require-preflight"] == "true")
    #expect(requests[0].headers["content-length"] != nil)
  }

  /// True if there is a temporary file with the body of an upload of a file. (Other tests have theirs at the same time.)
  static func hasTemporaryUpload(named name: String) -> Bool {
    let folder = FileManager.default.temporaryDirectory
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasPrefix("apollo-upload-") }.contains { file in
      let handle = try? FileHandle(forReadingFrom: folder.appendingPathComponent(file))
      let beginning = (try? handle?.read(upToCount: 4096)) ?? Data()
      return String(decoding: beginning, as: UTF8.self).contains(name)
    }
  }

  @Test("A large upload is sent from a file with its length, and the file is removed", .timeLimit(.minutes(5)))
  func large() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    #expect(FileManager.default.createFile(atPath: url.path, contents: Data(count: 5 << 20)))
    defer { try? FileManager.default.removeItem(at: url) }
    let hasFile = Locked(false)
    let requests = try await serve { _, _ in
      hasFile.withLock { $0 = Self.hasTemporaryUpload(named: url.lastPathComponent) }
      return [.respond(hero(field: "rename"))]
    } _: { server async throws in
      let file = try GraphQLFile(fieldName: "file", originalName: url.lastPathComponent, fileURL: url)
      #expect(file.contentLength == 5 << 20)
      let client = client(server)
      let name: String? = try await withCheckedThrowingContinuation { continuation in
        client.upload(operation: RenameMutation(), files: [file], queue: .global()) {
          continuation.resume(with: $0.map { $0.data?.rename.name })
        }
      }
      #expect(name == "R2-D2")
    }
    #expect(requests[0].headers["transfer-encoding"] == nil)
    #expect(requests[0].headers["content-length"].flatMap { Int($0) } == requests[0].body.utf8.count)
    #expect(requests[0].body.utf8.count > 5 << 20)
    #expect(hasFile.withLock { $0 })
    try await eventually { !Self.hasTemporaryUpload(named: url.lastPathComponent) }
  }

  /// A session that goes on with an upload until it is let go, even if the upload is cancelled.
  private struct HeldSession: ApolloURLSession {
    let files = Received<URL>()
    let end = Event()

    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
      throw CancellationError()
    }

    func chunks(
      for request: URLRequest, fromFile file: URL
    ) async throws -> (any AsyncChunkSequence, URLResponse) {
      files.add(file)
      try await Task { try await end.wait() }.value
      throw CancellationError()
    }
  }

  @Test(
    "When a sign-out returns, no file has the body of an upload, nor one of a former launch", arguments: [false, true])
  func signOut(isBatched: Bool) async throws {
    let session = HeldSession(), endpoint = try #require(URL(string: "http://localhost/graphql"))
    var configuration = ApolloClient.Configuration(url: endpoint)
    configuration.http.session = session
    if isBatched { configuration.batching = ApolloClient.Configuration.Batching(maximumSize: 1) }
    let client = ApolloClient(configuration: configuration)
    // (The last number is that of no process.)
    let left = FileManager.default.temporaryDirectory.appendingPathComponent(
      "apollo-upload-\(wholeSeconds(Date().timeIntervalSince1970))-p\(Int32.max)-\(UUID())")
    try Data("text".utf8).write(to: left)
    let large = GraphQLFile(fieldName: "file", originalName: "a", data: Data(count: 2 << 20))
    let upload = Task { try await client.upload(operation: RenameMutation(), files: [large]) }
    let file = try #require(await session.files.next())
    #expect(FileManager.default.fileExists(atPath: file.path))
    try await client.signOut()
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(!FileManager.default.fileExists(atPath: left.path))
    session.end.happen()
    let error = await #expect(throws: OperationError.self) { try await upload.value }
    #expect(error?.code == .signedOut)
  }

  @Test("A client whose transport sends no files says so")
  func noTransport() async throws {
    final class Silent: NetworkTransport {
      func send<Operation: GraphQLOperation>(
        operation: Operation, cachePolicy: CachePolicy, contextIdentifier: UUID?, context: (any RequestContext)?,
        callbackQueue: DispatchQueue, completionHandler: @escaping GraphQLResultHandler<Operation.Data>
      ) -> any Cancellable { EmptyCancellable() }
    }
    let client = ApolloClient(networkTransport: Silent())
    let error = await #expect(throws: OperationError.self) {
      try await client.upload(operation: RenameMutation(), files: [])
    }
    #expect(error?.code == .configuration)
  }
}

@Suite("How far a transfer is")
struct ProgressTests {
  @Test("The bytes of both bodies are told, up to the last one; a session of the app's own tells those of the response")
  func progress() async throws {
    let name = String(repeating: "x", count: 300_000)
    let size = hero(name, field: "rename").utf8.count
    try await serve { _, _ in
      [.respond(hero(name, field: "rename"))]
    } _: { server async throws in
      let log = Locked<[RequestConfiguration.TransferProgress]>([])
      let configuration = RequestConfiguration(onProgress: { progress in log.withLock { $0.append(progress) } })
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try Data(repeating: 65, count: 3_000_000).write(to: folder)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = try GraphQLFile(fieldName: "file", originalName: "a", fileURL: folder)
      var uploads: [RequestConfiguration.TransferProgress] = []
      // Foundation on Linux tells what was sent on a queue of its own. On a machine that is very busy, the response may be
      // there first, and what was sent is not told any more: then the file is sent again.
      for _ in 0..<5 where uploads.count < 2 {
        log.withLock { $0 = [] }
        let result = try await client(server).upload(
          operation: RenameMutation(), files: [file], requestConfiguration: configuration)
        #expect(result.data?.rename.name.count == 300_000)
        uploads = log.withLock { $0.filter { $0.direction == .upload } }
      }
      let downloads = log.withLock { $0.filter { $0.direction == .download } }
      #expect(uploads.count > 1 && uploads.map(\.completed) == uploads.map(\.completed).sorted(), "\(uploads.count)")
      #expect(
        uploads.last.map { $0.completed == $0.total && $0.completed > 3_000_000 } == true, "\(uploads.last as Any)")
      #expect(
        downloads.last == RequestConfiguration.TransferProgress(.download, completed: Int64(size), total: Int64(size)))

      log.withLock { $0 = [] }
      let own = ApolloClient(
        networkTransport: RequestChainNetworkTransport(
          urlSession: OtherSession(base: URLSessionClient()), interceptorProvider: DefaultInterceptorProvider.shared,
          store: ApolloStore(), endpointURL: try #require(URL(string: server.address))))
      _ = try await own.perform(mutation: RenameMutation(), requestConfiguration: configuration)
      #expect(log.withLock { $0.last?.completed } == Int64(size))
    }
  }

  /// Sends as another one does.
  private struct OtherSession: ApolloURLSession {
    let base: URLSessionClient

    func chunks(for request: URLRequest) async throws -> (any AsyncChunkSequence, URLResponse) {
      try await base.chunks(for: request)
    }
  }
}
