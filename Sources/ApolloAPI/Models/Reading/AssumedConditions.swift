/// What the data of a model tells of conditions whose variables are not known: a model may be made of its own data.
///
/// A variable has one value in a whole operation. So a field that is there tells what its variable is for all conditions,
/// and so does one that is missing, if it may not be null. (Where it may, a null is left out as well.)
@usableFromInline struct AssumedConditions {
  /// The values of variables that fields have told.
  private(set) var known: [String: Bool] = [:]
  /// Whether conditions hold of which nothing tells.
  private var others = true
  /// The condition of the last part on a type that was taken to be there, though nothing told it.
  private var lastGuess: Condition?

  init() {}

  /// Notes whether a condition holds, because the data has what is under it, or does not have it.
  mutating func note(_ condition: Condition, holds: Bool) {
    // If a condition with several variables does not hold, each of them may be the reason.
    guard condition.terms.count == 1, holds || condition.terms[0].count == 1 else { return }
    for factor in condition.terms[0] { known[factor.variable] = holds == (factor.test == .isTrue) }
  }

  /// Whether a condition holds, as far as it is known.
  func holds(_ condition: Condition) -> Bool { told(condition) ?? others }

  /// Whether the condition of a part on a type holds. The part may turn out not to be there; see ``refute()``.
  mutating func guess(_ condition: Condition) -> Bool {
    if told(condition) == nil { lastGuess = condition }
    return holds(condition)
  }

  /// Whether a condition holds; nil if nothing tells it.
  private func told(_ condition: Condition) -> Bool? {
    let terms = condition.terms.map { term in
      term.map { factor in known[factor.variable].map { $0 == (factor.test == .isTrue) } }
    }
    if terms.contains(where: { $0.allSatisfy { $0 == true } }) { return true }
    return terms.allSatisfy { $0.contains(false) } ? false : nil
  }

  /// Takes the last guess back, because the data does not fit it.
  ///
  /// - Returns: Whether something is now taken to be different.
  mutating func refute() -> Bool {
    if let guess = lastGuess {
      lastGuess = nil
      note(guess, holds: false)
      if told(guess) == false { return true }
    }
    defer { others = false }
    return others
  }
}

extension __ObjectReader {
  /// True if condition `condition` holds, under which field `i` is there. `isNullable`: whether the field may be null.
  @usableFromInline mutating func includes(
    _ condition: Int, field i: Int, isNullable: Bool
  ) throws(__ReadError) -> Bool {
    if assumedConditions == nil { return includes(condition) }
    let isThere = try hasMember(i)
    if isThere || !isNullable, let condition = assumedCondition(condition) {
      assumedConditions?.note(condition, holds: isThere)
    }
    return isThere
  }

  /// Condition `i` of the current table.
  func assumedCondition(_ i: Int) -> Condition? {
    let conditions = frames.top.table.table.conditions
    return conditions.indices.contains(i) ? conditions[i] : nil
  }
}
