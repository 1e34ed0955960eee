package import ApolloAPI
package import Foundation

/// Makes a result, and records for the cache, of the bytes of a response.
package enum ResponseParser {
  package static func parse<Operation: GraphQLOperation>(
    _ data: Data, of operation: Operation, makesRecords: Bool,
    identity: ObjectIdentity = ObjectIdentity(), maximumDepth: Int = ResponseReader.defaultMaximumDepth
  ) throws(ResponseDecodingError) -> (result: GraphQLResult<Operation.Data>, records: RecordBatchTransfer?) {
    try parse(
      ResponseBytes(data), of: operation, makesRecords: makesRecords, identity: identity, maximumDepth: maximumDepth)
  }

  package static func parse<Operation: GraphQLOperation>(
    _ bytes: ResponseBytes, of operation: Operation, makesRecords: Bool,
    identity: ObjectIdentity = ObjectIdentity(), maximumDepth: Int = ResponseReader.defaultMaximumDepth
  ) throws(ResponseDecodingError) -> (result: GraphQLResult<Operation.Data>, records: RecordBatchTransfer?) {
    let contents = try ResponseReader.read(
      Operation.Data.self, from: bytes, variables: operation.variables,
      rootKey: makesRecords ? Operation.operationType.rootKey : nil, identity: identity, maximumDepth: maximumDepth)
    let result = GraphQLResult(
      data: contents.data, extensions: contents.extensions, errors: contents.errors, source: .server,
      hasNext: contents.hasNext)
    return (result, contents.records)
  }
}
