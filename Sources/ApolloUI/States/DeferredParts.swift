import ApolloAPI

/// What became of the deferred fragments in some data.
struct DeferredParts {
  /// Whether one of them has not come.
  private(set) var arePending = false
  /// Whether one of them will not come, because of an error.
  private(set) var haveFailed = false

  /// Looks for the fragments, which may stand anywhere in the data.
  init(in data: some SelectionSet) { look(at: data) }

  private mutating func look(at value: Any) {
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
