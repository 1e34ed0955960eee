// What a page lacks, and those elements have in whose place it comes.

extension PageRun {
  /// The page, with what its edges lack and those of a run have (see ``Elements/completed(from:at:)``), and with what
  /// it does not tell of an end that it shares with the run.
  ///
  /// - Parameters:
  ///   - run: The run.
  ///   - start: The index in the run at which the page begins; nil: it is not known.
  ///   - places: The indices of the elements in whose place the page comes.
  /// - Returns: The page.
  func completed(from run: PageRun, at start: Int?, among places: Range<Int>) -> PageRun {
    var page = self
    if let edges, let old = run.edges, !places.isEmpty {
      page.edges = edges.completed(from: old.slice(places), at: start.map { $0 - places.lowerBound })
    }
    if let start { page.completeEnds(from: run, at: start) }
    return page
  }

  /// Takes what the page does not tell of its first and its last element, where the run has the same element at the
  /// same end. An error tells nothing.
  private mutating func completeEnds(from run: PageRun, at start: Int) {
    let (elements, olds) = (elements.values, run.elements.values)
    func areSame(_ a: RecordValue?, _ b: RecordValue?) -> Bool {
      guard let a, let b else { return a == nil && b == nil }
      return Elements.areSame(a, b)
    }
    if start == 0, areSame(elements.first, olds.first) {
      startCursor = startCursor.orElse(run.startCursor)
      hasPreviousPage = hasPreviousPage.orElse(run.hasPreviousPage)
    }
    if start + elements.count == olds.count, areSame(elements.last, olds.last) {
      endCursor = endCursor.orElse(run.endCursor)
      hasNextPage = hasNextPage.orElse(run.hasNextPage)
    }
  }
}

extension RecordValue? {
  /// The value; another one if it is missing or an error, and that one is not missing.
  fileprivate func orElse(_ other: RecordValue?) -> RecordValue? {
    switch self {
    case nil, .error?: other ?? self
    default: self
    }
  }
}
