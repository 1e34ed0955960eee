public import ApolloDirectives

/// A fragment with `@defer`, as a member of a shape.
public struct DeferredMember: Sendable, Equatable {
  /// The label by which the server refers to the fragment.
  public var label: String
  /// The arguments of the directive.
  public var deferral: Deferral
  /// The fragment.
  public var fragment: Fragment
  /// The type that the object must have; nil if the fragment applies to every object that may come.
  public var typeCondition: String?
  /// When the fragment is there.
  public var condition: Condition
  /// The name that the document gives the member; nil if it has that of the fragment or the label.
  public var alias: String?

  /// A named fragment or an inline fragment.
  public enum Fragment: Sendable, Equatable {
    /// A named fragment, by its name.
    case named(String)
    /// An inline fragment. Its shape does not have the selections of the enclosing shape.
    case inline(Shape)
  }

  /// The name for an inline fragment: the last part of the label, with `_` for characters that a name cannot have.
  public var name: String {
    let last = label.utf8.split(separator: UInt8(ascii: ".")).last.map { Substring($0) } ?? ""
    let name = String(String.UnicodeScalarView(last.unicodeScalars.map { Self.isPartOfName($0) ? $0 : "_" }))
    return name.utf8.first.map { $0 > UInt8(ascii: "9") && $0 != UInt8(ascii: "_") } == true ? name : "deferred" + name
  }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: false
    }
  }

  /// The selections of an inline fragment; nil for a named fragment.
  public var shape: Shape? {
    if case .inline(let shape) = fragment { shape } else { nil }
  }
}
