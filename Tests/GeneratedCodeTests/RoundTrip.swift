@testable import ApolloAPI
import Foundation
import StyledTests
import Testing

/// Reads `data`, and writes it back: that has to give the same members with the same values, in any order.
func roundTrip<Operation: GraphQLOperation>(_ operation: Operation, _ data: String) throws -> Operation.Data {
  let value = try read(operation, data)
  var writer = __JSONWriter()
  value.__write(to: &writer)
  #expect(try sorted(writer.text) == sorted(data))
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

/// JSON with the members of each object in the order of their names.
private func sorted(_ json: String) throws -> String {
  let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
  return String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
}
