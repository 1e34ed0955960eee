public import ApolloCache
public import Foundation

/// What every backend of the cache has to do, as checks that any test framework can run:
///
///     @Test(arguments: NormalizedCacheConformance.allChecks)
///     func conformance(check: NormalizedCacheConformance) async throws {
///       try await check.run { try MyCache(fileURL: newTemporaryFile()) }
///     }
public struct NormalizedCacheConformance: Sendable, CustomStringConvertible {
  /// What the check claims.
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

  /// What a cache did not do.
  public struct Failure: LocalizedError, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
  }

  /// All checks. None of them needs another to have run before.
  public static let allChecks: [NormalizedCacheConformance] = reading + merging + removing + hardNames
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw NormalizedCacheConformance.Failure(description: message()) }
}

func expectEqual<Value: Equatable>(_ found: Value, _ wanted: Value, _ what: String) throws {
  try expect(found == wanted, "\(what): expected \(wanted), found \(found)")
}

extension NormalizedCache {
  func record(_ key: CacheKey) async throws -> Record? { try await loadRecords(forKeys: [key])[key] }
}
