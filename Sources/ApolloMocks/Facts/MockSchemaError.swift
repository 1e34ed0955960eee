public import Apollo
import Foundation
import GraphQLSyntax

/// Something that a mock was told does not fit its schema.
public struct MockSchemaError: ApolloError, Hashable {
  /// What is wrong, and where: a coordinate such as `User.name`, or a line of the schema.
  public let message: String
  /// The kind of this error: `configuration`.
  public var code: ApolloErrorCode { .configuration }

  init(_ message: String) { self.message = message }

  /// The error for a name that the schema does not have.
  init(unknown name: String, among names: [String], _ kind: String) {
    let question = Suggestions.didYouMean(Suggestions.similar(to: name, among: names)).map { " " + $0 } ?? ""
    self.init("The schema has no \(kind) \"\(name)\".\(question)")
  }
}
