public import ApolloCache
public import Foundation

/// A check that every backend of the cache should pass. Any test framework can run the checks:
///
///     @Test(arguments: NormalizedCacheConformance.allChecks)
///     func conformance(check: NormalizedCacheConformance) async throws {
///       try await check.run { try MyCache(fileURL: newTemporaryFile()) }
///     }
public struct NormalizedCacheConformance: Sendable, CustomStringConvertible {
  /// What the check claims, in words.
  public let description: String
  private let body: @Sendable (any NormalizedCache) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (any NormalizedCache) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Runs the check.
  ///
  /// - Parameter makeCache: Makes an empty cache.
  /// - Throws: ``Failure``, or what the cache throws.
  public func run(_ makeCache: () throws -> any NormalizedCache) async throws { try await body(try makeCache()) }

  /// The error for something that a backend does not do.
  public struct Failure: LocalizedError, CustomStringConvertible {
    /// What the backend does not do, in words.
    public let description: String
    /// What the backend does not do, in words.
    public var errorDescription: String? { description }
  }

  /// All checks. They are independent of each other.
  public static let allChecks: [NormalizedCacheConformance] = reading + merging + removing + hardNames + listing
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw NormalizedCacheConformance.Failure(description: message()) }
}

func expect<Value: Equatable>(_ found: Value, equals wanted: Value, _ what: String) throws {
  try expect(found == wanted, "\(what): expected \(wanted), found \(found)")
}

extension NormalizedCache {
  func record(_ key: CacheKey) async throws -> Record? { try await loadRecords(forKeys: [key])[key] }
}
