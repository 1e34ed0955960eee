import Apollo
import ApolloWebSocket
import Foundation
import Logging

// What the pages take for granted: things that an app has.

let url = URL(fileURLWithPath: "/")
var client: ApolloClient { ApolloClient(url: url) }
var store: ApolloStore { ApolloStore() }
var transport: any NetworkTransport { WebSocketTransport(url: url) }
let logger = Logger(label: "documentation")
let addPost = AddPostMutation(text: "Hello")

func show(_ shown: Any?, isOld: Bool = false) {}
func signOut() {}
func token() async throws -> String { "secret" }

@MainActor var badge = 0
@MainActor var problems: [Outbox.Entry] = []

struct FullName: FieldPolicy.Reader {
  func value(of existing: CachedValue.Field?, in object: FieldPolicy.Context) throws -> CachedValue? { existing?.value }
}

struct AppendPage: FieldPolicy.Merger {
  func merge(existing: CachedValue.Field?, incoming: CachedValue.Field, arguments: FieldPolicy.InputData) throws
    -> CachedValue
  {
    incoming.value
  }
}
