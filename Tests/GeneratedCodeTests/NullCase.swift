@testable import ApolloAPI
@testable import ApolloCache
import Fixture0060
import StyledTests
import Testing

/// A response, and what a model makes of it.
struct NullCase<Operation: GraphQLOperation>: Sendable where Operation.Data: Hashable & Sendable {
  let operation: Operation
  let data: String
  var errors: [String] = []

  /// The errors as JSON. `user.name: broken` is an error with a path.
  var errorsText: String {
    errors.map { error in
      let parts = error.split(separator: ": ", maxSplits: 1)
      let path = parts[0].split(separator: ".").map { Int($0) == nil ? "\"\($0)\"" : String($0) }
      return #"{"message":"\#(parts[1])","path":[\#(path.joined(separator: ","))]}"#
    }.joined(separator: ",")
  }

  /// Reads the response.
  ///
  /// - Parameters:
  ///   - errorsFirst: Whether the errors stand in front of the data.
  ///   - rootKey: The key of the root, where records are made as well. nil, the default: none are made.
  /// - Returns: Its contents.
  /// - Throws: ``ResponseDecodingError`` if it does not fit.
  func read(errorsFirst: Bool, rootKey: String? = nil) throws -> ResponseReader.Contents<Operation.Data> {
    let errors = errors.isEmpty ? [] : ["\"errors\":[\(errorsText)]"]
    let members = errorsFirst ? errors + ["\"data\":\(data)"] : ["\"data\":\(data)"] + errors
    let text = "{" + members.joined(separator: ",") + "}"
    return try ResponseReader.read(
      Operation.Data.self, from: ResponseBytes(text.restyled.utf8), variables: operation.variables, rootKey: rootKey)
  }

  /// Reads the response in each way: with the errors in front and at the end, without records and with them.
  private func readings() throws -> [ResponseReader.Contents<Operation.Data>] {
    try [nil, Operation.operationType.rootKey].flatMap { rootKey in
      try [false, true].map { try read(errorsFirst: $0, rootKey: rootKey) }
    }
  }

  /// Reads the response in each way, and from a cache to which it was written, and writes what was read back. That changes
  /// nothing in the cache.
  @discardableResult func check(_ check: (Operation.Data) throws -> Void) async throws -> ApolloStore {
    for contents in try readings() {
      #expect(contents.unhandledFieldError == nil)
      #expect(contents.errors?.count ?? 0 == errors.count)
      try check(#require(contents.data))
    }
    let store = try await stored()
    let reading = await store.read(operation)
    let data = try reading.data.get()
    try check(data)
    #expect(reading.errors.allSatisfy { error in errors.contains { $0.hasSuffix(error.message ?? "?") } })
    #expect(try data == read(errorsFirst: true).data)
    let before = store.dump()
    try await store.withinReadWriteTransaction { try $0.write(data: data, for: operation) }
    #expect(store.dump() == before)
    return store
  }

  /// Reads the response, whose error nothing catches.
  func checkUnhandled(_ message: String, isReadAgain: Bool = false) async throws {
    for contents in try readings() {
      #expect(contents.data == nil)
      #expect(contents.unhandledFieldError?.message == message)
      #expect(contents.errors?.count ?? 0 == errors.count)
    }
    let reading = await (try stored()).read(operation)
    #expect(throws: (any Error).self) { try reading.data.get() }
  }

  func stored() async throws -> ApolloStore {
    let store = ApolloStore()
    let errors = errors.isEmpty ? "" : ",\"errors\":[\(errorsText)]"
    let bytes = ResponseBytes("{\"data\":\(data)\(errors)}".restyled.utf8)
    let contents = try ResponseReader.read(
      Operation.Data.self, from: bytes, variables: operation.variables, rootKey: Operation.operationType.rootKey,
      identity: store.identity)
    if let records = contents.records { await store.publish(records) }
    return store
  }
}

func user(_ members: String) -> String { #"{"user":{"__typename":"User","id":"1",\#(members)}}"# }
