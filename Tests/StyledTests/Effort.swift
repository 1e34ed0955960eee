import Foundation

/// How many random cases tests take: as many as fit `make test`, times `APOLLO_EFFORT`.
public enum Effort {
  private static let factor = ProcessInfo.processInfo.environment["APOLLO_EFFORT"].flatMap { Int($0) } ?? 1

  /// Whether there is time for tests that take minutes.
  public static var isLong: Bool { factor > 1 }

  /// Each how many-th byte of a file is damaged, or each how many-th 512 bytes are the place where it is cut; nil: some at
  /// random are, as in `make test`.
  public static let damageStep = ProcessInfo.processInfo.environment["APOLLO_DAMAGE_STEP"].flatMap { Int($0) }

  /// The places in a file at which a byte is damaged, one at a time.
  ///
  /// - Parameters:
  ///   - size: How long the file is. Only its first five pages are damaged throughout.
  ///   - count: How many there are at random, besides the header, where not all of the file is damaged.
  /// - Returns: The places.
  public static func damagedPlaces(in size: Int, orAtRandom count: Int) -> [Int] {
    guard let step = damageStep else {
      return Array(0..<110) + (0..<count).map { _ in Int.random(in: 110..<size) }
    }
    return Array(stride(from: Int.random(in: 0..<step), to: min(size, 5 * 4096), by: step))
  }

  public static func seeds(_ count: Int) -> Range<UInt64> { 0..<UInt64(count * factor) }
}
