import ApolloAPI

extension RecordTable {
  /// Whether a record is the root of queries, mutations or subscriptions.
  func isRoot(_ number: Int32) -> Bool { GraphQLOperationType.allCases.contains { $0.rootNumber == number } }

  /// Whether a record is the root of mutations or subscriptions, which no file has.
  static func isRootOfWrites(_ number: Int32) -> Bool {
    number == GraphQLOperationType.mutation.rootNumber || number == GraphQLOperationType.subscription.rootNumber
  }
}
