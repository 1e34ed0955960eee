@testable import Apollo
@testable import ApolloCache
@testable import ApolloOperations
import Testing

@Suite("Which contexts share an answer")
struct SharingKeyTests {
  private struct User: RequestContext, Hashable { let id: Int }
  private struct Closure: RequestContext { let body: () -> Void }
  /// Two of these are equal, and can change.
  private final class Session: RequestContext, Hashable {
    var count = 0
    static func == (a: Session, b: Session) -> Bool { a.count == b.count }
    func hash(into hasher: inout Hasher) { hasher.combine(count) }
  }

  private func key(_ context: (any RequestContext)?, _ asked: StoreEpoch = .current) -> SharingKey {
    SharingKey(context, asked: asked, ends: [], endedMutations: 0)
  }

  private func areShared(_ a: (any RequestContext)?, _ b: (any RequestContext)?) -> Bool {
    let asked = StoreEpoch.current
    let (first, second) = (key(a, asked), key(b, asked))
    return first == second && first.hashValue == second.hashValue
  }

  @Test("Equal values do, and other values do not")
  func values() {
    #expect(areShared(nil, nil))
    #expect(areShared(User(id: 1), User(id: 1)))
    #expect(!areShared(User(id: 1), User(id: 2)))
    #expect(!areShared(User(id: 1), nil))
    #expect(!areShared(Closure {}, Closure {}))
  }

  @Test("A clearing of the own store separates, one of another store does not")
  func clearings() async throws {
    let store = ApolloStore(), other = ApolloStore()
    func key(asked: StoreEpoch) -> SharingKey {
      SharingKey(nil, asked: asked, ends: [store.lastClearing], endedMutations: 0)
    }
    let asked = StoreEpoch.current, first = key(asked: asked)
    try await other.clearCache()
    #expect(key(asked: .current) == first && key(asked: asked) == first)
    try await store.clearCache()
    #expect(key(asked: .current) != first)
    // Asked for before, and sent after it.
    #expect(key(asked: asked) != key(asked: .current))
    store.clearCache(completion: nil)
    let cleared = key(asked: .current)
    try await other.clearCache()
    #expect(key(asked: .current) == cleared)
  }

  @Test("An object does with itself only, whatever its own comparison says, also when it has changed")
  func objects() {
    let session = Session(), key = key(session), hash = key.hashValue
    session.count += 1
    #expect(key.hashValue == hash)
    #expect(areShared(session, session))
    #expect(!areShared(Session(), Session()))
  }
}
