import ApolloAPI
import GraphQLExecution

extension GraphQLOperation {
  /// The variables as they are sent.
  var variableValues: GraphQLValue.Object {
    var writer = __JSONWriter()
    variables.__write(to: &writer)
    // (What the writer writes is JSON.)
    return (try? GraphQLValue(json: writer.bytes))?.object ?? [:]
  }
}
