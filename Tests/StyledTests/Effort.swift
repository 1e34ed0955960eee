import Foundation

/// How many random cases tests take: as many as fit `make test`, times `APOLLO_EFFORT`.
public enum Effort {
  private static let factor = ProcessInfo.processInfo.environment["APOLLO_EFFORT"].flatMap { Int($0) } ?? 1

  /// Whether there is time for tests that take minutes.
  public static var isLong: Bool { factor > 1 }

  public static func seeds(_ count: Int) -> Range<UInt64> { 0..<UInt64(count * factor) }
}
