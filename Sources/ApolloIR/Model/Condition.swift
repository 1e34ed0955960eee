/// The condition under which a selection with `@include` or `@skip` is there, in disjunctive normal form: one of the
/// terms holds, and a term holds if all of its factors do.
public struct Condition: Sendable, Hashable {
  /// A Boolean variable that must be true, or must be false.
  public struct Factor: Sendable, Hashable {
    /// The name of a Boolean variable, without its `$`.
    public var variable: String
    /// Whether the variable must be false.
    public var isNegated: Bool

    /// Makes a factor.
    ///
    /// - Parameters:
    ///   - variable: The name of the variable, without its `$`.
    ///   - isNegated: Whether the variable must be false.
    public init(variable: String, isNegated: Bool) {
      self.variable = variable
      self.isNegated = isNegated
    }
  }

  /// The terms. The factors of each are sorted by variable; no term contains another.
  public private(set) var terms: [[Factor]]

  /// The condition that always holds: one term without factors.
  public static let always = Condition(terms: [[]])
  /// The condition that never holds: no terms.
  public static let never = Condition(terms: [])

  private init(terms: [[Factor]]) { self.terms = terms }

  /// Makes a condition of one factor.
  public init(_ factor: Factor) { terms = [[factor]] }

  /// Whether the condition always holds.
  public var isAlways: Bool { terms == [[]] }
  /// Whether the condition never holds.
  public var isNever: Bool { terms.isEmpty }

  /// The condition that holds if both conditions hold.
  public static func && (left: Condition, right: Condition) -> Condition {
    if left.isAlways { return right }
    if right.isAlways { return left }
    let products = left.terms.flatMap { a in right.terms.compactMap { b in product(a, b) } }
    return simplified(products)
  }

  /// The condition that holds if one of two conditions holds.
  public static func || (left: Condition, right: Condition) -> Condition {
    simplified(left.terms + right.terms)
  }

  /// Whether this holds wherever another condition holds.
  public func includes(_ other: Condition) -> Bool { (self || other) == self }

  /// The factors that must all hold; nil if there are several terms, of which one is enough.
  public var factors: [Factor]? { terms.count == 1 ? terms[0] : nil }

  /// The condition that remains if some factors are known to hold.
  public func given(_ factors: [Factor]) -> Condition {
    let held = Set(factors)
    let open = terms.compactMap { term in Self.product(term, factors).map { _ in term.filter { !held.contains($0) } } }
    return Self.simplified(open)
  }

  /// The factors of both terms; nil if they contradict each other.
  private static func product(_ a: [Factor], _ b: [Factor]) -> [Factor]? {
    let factors = Set(a).union(b)
    let isContradiction = factors.contains { factors.contains(Factor(variable: $0.variable, isNegated: !$0.isNegated)) }
    return isContradiction ? nil : sorted(factors)
  }

  private static func sorted(_ factors: Set<Factor>) -> [Factor] {
    factors.sorted { $0.variable != $1.variable ? $0.variable < $1.variable : !$0.isNegated && $1.isNegated }
  }

  /// Drops terms that another term covers, and joins terms that differ only in the sign of one factor.
  private static func simplified(_ terms: [[Factor]]) -> Condition {
    var terms = terms
    var isChanging = true
    while isChanging {
      isChanging = false
      search: for i in terms.indices {
        for j in terms.indices where i != j {
          let a = Set(terms[i]), b = Set(terms[j])
          if a.isSubset(of: b) {
            terms.remove(at: j)
            isChanging = true
            break search
          }
          let difference = a.subtracting(b)
          if difference.count == 1, let factor = difference.first, a.count == b.count,
            b.contains(Factor(variable: factor.variable, isNegated: !factor.isNegated)), b.subtracting(a).count == 1
          {
            terms[min(i, j)] = sorted(a.intersection(b))
            terms.remove(at: max(i, j))
            isChanging = true
            break search
          }
        }
      }
    }
    return Condition(terms: terms)
  }
}
