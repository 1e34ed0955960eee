/// Numbers that depend on nothing but a seed.
public struct Random: Sendable {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed }

  /// - Parameter place: Numbers for different places do not depend on each other.
  public init(_ seed: UInt64, at place: String) {
    // FNV-1a
    state = place.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// SplitMix64
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  public mutating func one(in count: Int) -> Bool { below(count) == 0 }
  public mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
