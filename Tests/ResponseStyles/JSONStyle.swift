/// A way to write JSON. All styles of a text have the same value.
///
/// White space stands at any place where it may, members come in any order, letters are escaped, numbers are spelled in
/// other ways, and members are there twice; or all of it is as the JSON libraries of common servers write.
public struct JSONStyle: Sendable, CustomStringConvertible {
  /// What a style may change beside white space and escapes.
  public struct Changes: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The order of members.
    public static let order = Changes(rawValue: 1)
    /// `1.0` or `10e-1` for `1`, outside of `errors` and `extensions`.
    public static let numbers = Changes(rawValue: 2)
    /// Members are there twice, with equal values.
    public static let repeats = Changes(rawValue: 4)
    public static let all: Changes = [.order, .numbers, .repeats]
  }

  /// The library whose white space and escapes it has.
  public enum Library: CaseIterable, Sendable {
    case python, indentedPython, go, jackson, dotNet, php, indentedPHP, ruby, indentedRuby
    /// White space and escapes anywhere.
    case none
  }

  public let library: Library
  public let seed: UInt64
  let changes: Changes

  /// - Parameter allowed: What the readers of the text do not mind.
  public init(seed: UInt64, allowing allowed: Changes = .all) {
    var random = SplitMix(state: seed)
    self.seed = seed
    library = Library.allCases[Int(seed % UInt64(Library.allCases.count))]
    // Repeated members send a reader another way, and so hide how it reads all else.
    let repeats: Changes = random.isTrue(oneIn: 4) ? .repeats : []
    let numbers: Changes = random.isTrue(oneIn: 2) ? .numbers : []
    let order: Changes = random.isTrue(oneIn: 4) ? [] : .order
    changes = allowed.intersection([order, numbers, repeats])
  }

  public var description: String { "JSON style \(seed) (\(library))" }

  /// The text in this style; the text as it is if it is not JSON.
  public func restyle(_ text: String) -> String { String(decoding: restyle(Array(text.utf8)), as: UTF8.self) }

  public func restyle(_ text: [UInt8]) -> [UInt8] {
    guard let value = JSONText(text) else { return text }
    var writer = StyledWriter(style: self)
    return Array(writer.text(of: value).utf8)
  }
}

/// Random numbers that a seed determines (SplitMix64).
package struct SplitMix: RandomNumberGenerator {
  package var state: UInt64

  package init(state: UInt64) { self.state = state }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func isTrue(oneIn count: UInt64) -> Bool { next() % count == 0 }
}
