// What the app adds to the schema's types is there for all targets.

extension Genre {
  /// For headings.
  public var heading: String {
    switch self {
    case .fiction: "Novels and stories"
    case .poetry: "Poems"
    }
  }
}
