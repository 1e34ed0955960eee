/// Finds names that an author may have meant, and writes sentences about them.
public enum Suggestions {
  /// How many options a sentence names at most.
  public static let maximumCount = 5

  /// The options that are similar to a text, the most similar first. Options that differ too much are left out.
  ///
  /// - Parameters:
  ///   - input: The text that was written.
  ///   - options: The names that could have been meant.
  /// - Returns: The similar names.
  public static func similar(to input: String, among options: some Sequence<String>) -> [String] {
    let measure = EditDistance(from: input)
    let threshold = input.utf16.count * 2 / 5 + 1
    var found: [(option: String, distance: Int)] = []
    for option in options {
      if let distance = measure.distance(to: option, within: threshold) { found.append((option, distance)) }
    }
    found.sort { $0.distance != $1.distance ? $0.distance < $1.distance : $0.option < $1.option }
    return found.map(\.option)
  }

  /// A sentence such as `Did you mean the type "A", "B", or "C"?`, with at most five of the options.
  ///
  /// - Parameters:
  ///   - what: What the options are, such as `the type`.
  ///   - options: The names, the most similar first.
  /// - Returns: The sentence; nil if there are no options.
  public static func didYouMean(_ what: String, _ options: [String]) -> String? {
    didYouMean(prefix: what + " ", options)
  }

  /// A sentence such as `Did you mean "a", "b", or "c"?`, with at most five of the options; nil if there are none.
  public static func didYouMean(_ options: [String]) -> String? { didYouMean(prefix: "", options) }

  private static func didYouMean(prefix: String, _ options: [String]) -> String? {
    let quoted = options.prefix(maximumCount).map { "\"\($0)\"" }
    guard !quoted.isEmpty else { return nil }
    return "Did you mean \(prefix)\(list(quoted, "or"))?"
  }

  /// Joins words with commas, and with a conjunction before the last word.
  public static func list(_ items: [String], _ conjunction: String) -> String {
    switch items.count {
    case 0: ""
    case 1: items[0]
    case 2: "\(items[0]) \(conjunction) \(items[1])"
    default: items.dropLast().joined(separator: ", ") + ", \(conjunction) \(items[items.count - 1])"
    }
  }
}

/// The number of letters that must be inserted, deleted, replaced or swapped with their neighbour to turn one name into
/// another. A difference only in case is one.
private struct EditDistance {
  private let input: String
  private let lowercased: [UInt16]

  init(from input: String) {
    self.input = input
    lowercased = Array(input.lowercased().utf16)
  }

  /// The distance; nil if it is greater than the threshold.
  func distance(to option: String, within threshold: Int) -> Int? {
    if input == option { return 0 }
    let other = Array(option.lowercased().utf16)
    if lowercased == other { return 1 }
    guard abs(lowercased.count - other.count) <= threshold else { return nil }

    var beforePrevious = [Int](repeating: 0, count: other.count + 1)
    var previous = Array(0...other.count)
    var current = beforePrevious
    for row in 1..<max(lowercased.count + 1, 1) {
      current[0] = row
      var best = row
      for column in 1..<max(other.count + 1, 1) {
        let isSame = lowercased[row - 1] == other[column - 1]
        var cost = min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, lowercased[row - 1] == other[column - 2], lowercased[row - 2] == other[column - 1] {
          cost = min(cost, beforePrevious[column - 2] + 1)
        }
        current[column] = cost
        best = min(best, cost)
      }
      guard best <= threshold else { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    let distance = previous[other.count]
    return distance <= threshold ? distance : nil
  }
}
