/// An error of a chain itself.
package protocol ChainFailure: Error {
  /// Whether the chain has come to its end without a result.
  var isWithoutResult: Bool { get }
}
