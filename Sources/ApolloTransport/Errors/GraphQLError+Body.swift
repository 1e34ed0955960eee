package import ApolloAPI
package import Foundation

extension GraphQLError {
  /// Finds the errors in a body, whatever data it has.
  package static func all(inBody data: Data) -> [GraphQLError] {
    guard let members = try? JSONMembers(ResponseBytes(data)),
      let list = members.value(of: "errors") as? [JSONValue]
    else { return [] }
    return list.map { GraphQLError(anyValue: $0) }
  }
}
