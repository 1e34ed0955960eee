/// Names that someone may have meant.
public enum Suggestions {
  /// How many options a sentence offers.
  public static let maximumCount = 5

  /// The options most like the input, best first. Options that differ too much are left out.
  ///
  /// - Parameter input: What was written.
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

  /// `Did you mean the type "A", "B", or "C"?`, with no more than five of the options; `nil` when there are none.
  ///
  /// - Parameter what: What the options are, such as `the type`.
  public static func didYouMean(_ what: String, _ options: [String]) -> String? {
    didYouMean(prefix: what + " ", options)
  }

  /// `Did you mean "a", "b", or "c"?`, with no more than five of the options; `nil` when there are none.
  public static func didYouMean(_ options: [String]) -> String? { didYouMean(prefix: "", options) }

  private static func didYouMean(prefix: String, _ options: [String]) -> String? {
    let quoted = options.prefix(maximumCount).map { "\"\($0)\"" }
    guard !quoted.isEmpty else { return nil }
    return "Did you mean \(prefix)\(list(quoted, "or"))?"
  }

  /// Words with commas, and a conjunction before the last.
  public static func list(_ items: [String], _ conjunction: String) -> String {
    switch items.count {
    case 0: ""
    case 1: items[0]
    case 2: "\(items[0]) \(conjunction) \(items[1])"
    default: items.dropLast().joined(separator: ", ") + ", \(conjunction) \(items[items.count - 1])"
    }
  }
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour. Differences of case alone count
/// as one.
private struct EditDistance {
  private let input: String
  private let lowercased: [UInt16]

  init(from input: String) {
    self.input = input
    lowercased = Array(input.lowercased().utf16)
  }

  /// The distance, or `nil` when it is greater than the threshold.
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
