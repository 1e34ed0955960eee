/// Numbers that depend on nothing but a seed and a place. They are equal on every platform, and whatever else was asked.
struct Draw {
  private var state: UInt64

  init(_ seed: UInt64, _ place: String) {
    // FNV-1a over the place, with the seed in the first state; SplitMix64 then mixes the bits.
    state = place.utf8.reduce(0xcbf2_9ce4_8422_2325 ^ (seed &* 0x9e37_79b9_7f4a_7c15)) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 on and below a bound, which is greater than 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func number(in range: ClosedRange<Int>) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound) &- Int64(range.lowerBound))
    return range.lowerBound &+ Int(truncatingIfNeeded: span == .max ? next() : next() % (span + 1))
  }

  /// An element of a list that is not empty.
  mutating func element<Elements: RandomAccessCollection>(of elements: Elements) -> Elements.Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  /// True as often as a share from 0 to 1 says.
  mutating func happens(_ share: Double) -> Bool {
    share >= 1 || share > 0 && Double(next() >> 11) / Double(1 << 53 as UInt64) < share
  }

  /// A number in hexadecimal digits.
  mutating func digits(_ count: Int) -> String {
    let text = String(next(), radix: 16)
    return String((String(repeating: "0", count: 16) + text).suffix(count))
  }
}
