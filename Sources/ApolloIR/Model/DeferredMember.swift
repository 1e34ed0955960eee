/// What `@defer` says of a fragment.
public struct Deferral: Sendable, Equatable {
  public var label: String?
  /// The Boolean variable of `if`: false switches it off.
  public var variable: String?
  /// `if: false`.
  public var isSwitchedOff = false

  init() {}
}

/// A fragment with `@defer` as a member.
public struct DeferredMember: Sendable, Equatable {
  /// By which the server refers to it.
  public var label: String
  public var deferral: Deferral
  public var fragment: Fragment
  /// The type that the object has to be of; nil if the fragment applies to every object that may come.
  public var typeCondition: String?
  public var condition: Condition

  public enum Fragment: Sendable, Equatable {
    case named(String)
    /// An inline fragment, which stands for itself: it does not have what the enclosing shape selects.
    case inline(Shape)
  }

  /// The last part of the label, with `_` for what cannot stand in a name: what an inline fragment is called.
  public var name: String {
    let last = label.split(separator: ".").last ?? ""
    let name = String(last.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isLetter == true ? name : "deferred" + name
  }

  /// The selections of an inline fragment.
  public var shape: Shape? {
    if case .inline(let shape) = fragment { shape } else { nil }
  }
}
