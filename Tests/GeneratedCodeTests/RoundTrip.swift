import ApolloAPI
import StyledTests
import Testing

/// Reads `data`, and writes it back: that has to give the same JSON.
func roundTrip<Operation: GraphQLOperation>(_ operation: Operation, _ data: String) throws -> Operation.Data {
  let value = try read(operation, data)
  var writer = JSONWriter()
  value.write(to: &writer)
  #expect(writer.text == data)
  return value
}

func read<Operation: GraphQLOperation>(_ operation: Operation, _ data: String) throws -> Operation.Data {
  let response = try ResponseReader.read(
    Operation.Data.self, from: ResponseBytes(Array("{\"data\":\(data)}".restyled.utf8)), variables: operation.variables)
  return try #require(response.data)
}

/// The variables as they are sent.
func variables(_ operation: some GraphQLOperation) -> String {
  String(decoding: operation.variables.json, as: UTF8.self)
}
