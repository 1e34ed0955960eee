/// An object that was read from records, or the error, and the fields that it depends on.
///
/// It is a class, so that generic code can hand it on without the layout of the object.
package final class LoadedData<Data: SelectionSet> {
  /// Errors that the cache has in place of values; the values are null in the data.
  package let errors: [GraphQLError]
  /// What the read depended on.
  package let dependencies: Dependencies
  /// When the oldest part of the data was sent, in seconds since 1970; 0 if that is not known, nil if
  /// ``RecordSnapshot/oldestSeconds(of:)`` has to find out.
  package let oldestSeconds: UInt32?
  /// If reading failed: the fields that lead to the failure, from the root.
  package let chain: [FieldKey]
  /// Whether everything was there.
  package let isHit: Bool
  /// The first value that was missing and was reported; nil if the read failed, or found everything.
  private let reportedMiss: ResponseDecodingError?
  /// What was found out about the ages of the values; nil if they have none.
  package let ages: AgeFindings?
  /// The object, or why it cannot be read. (It is last: the places of all others then do not depend on its type.)
  package let data: Result<Data, ResponseDecodingError>

  init(
    errors: [GraphQLError], dependencies: Dependencies, oldestSeconds: UInt32?, chain: [FieldKey], isHit: Bool,
    reportedMiss: ResponseDecodingError?, ages: AgeFindings?, data: consuming Result<Data, ResponseDecodingError>
  ) {
    self.errors = errors
    self.dependencies = dependencies
    self.oldestSeconds = oldestSeconds
    self.chain = chain
    self.isHit = isHit
    self.reportedMiss = reportedMiss
    self.ages = ages
    self.data = data
  }

  /// The first value that was missing; nil if everything was there.
  package var firstMiss: ResponseDecodingError? {
    if case .failure(let error) = data { error } else { reportedMiss }
  }
}
