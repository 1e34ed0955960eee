package import ApolloAPI

/// What became of the deferred fragments in some data.
package struct DeferredOutcome: Sendable {
  /// Whether one of them has not come. Then it is not known what became of the others.
  package private(set) var arePending = false
  /// Whether one of them will not come, because of an error.
  package private(set) var haveFailed = false

  /// Looks for the fragments, which may stand anywhere in the data. That takes a while for large data.
  ///
  /// - Parameter data: The data of an operation.
  package init(in data: some SelectionSet) { look(at: data) }

  private mutating func look(at value: Any) {
    // (One that has not come says all. Most of the data are values that have no parts.)
    if arePending || value is String || value is Bool || value is Int || value is Double { return }
    if let part = value as? any DeferredPart {
      switch part.state {
      case .pending: arePending = true
      case .failed: haveFailed = true
      case .notExecuted: break
      case .ready(let fragment): look(at: fragment)
      }
      return
    }
    for child in Mirror(reflecting: value).children { look(at: child.value) }
  }
}

/// A deferred fragment, whatever its type.
private protocol DeferredPart {
  var state: DeferredFragment<Any> { get }
}

extension DeferredFragment: DeferredPart {
  fileprivate var state: DeferredFragment<Any> {
    switch self {
    case .pending: .pending
    case .ready(let fragment): .ready(fragment)
    case .failed(let errors): .failed(errors)
    case .notExecuted: .notExecuted
    }
  }
}
