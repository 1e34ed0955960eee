import ApolloAPI
import Foundation

/// A mutation whose variables come from an outbox: the JSON that was kept takes the place of the Swift values, which are
/// gone when an app is started again.
struct StoredMutation<Mutation: GraphQLMutation>: GraphQLMutation {
  typealias Data = Mutation.Data

  static var operationName: String { Mutation.operationName }
  static var operationDocument: OperationDocument { Mutation.operationDocument }
  static var hasDeferredFragments: Bool { Mutation.hasDeferredFragments }
  static var __hasLocalFields: Bool { Mutation.__hasLocalFields }

  private let members: JSONMembers
  let __listEdits: [__ListEdit]

  /// Makes a mutation.
  ///
  /// - Parameters:
  ///   - json: The variables, a JSON object.
  ///   - edits: What its directives do to lists of the cache.
  /// - Throws: `ResponseDecodingError` if the text is not a JSON object.
  init(_ json: Foundation.Data, _ edits: [__ListEdit]) throws {
    members = try JSONMembers(ResponseBytes(json))
    __listEdits = edits
  }

  func __writeVariables(to writer: inout __JSONWriter) { members.writeVariables(to: &writer) }
}
