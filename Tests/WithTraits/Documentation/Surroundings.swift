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

struct FullName: FieldReader {
  func value(of existing: CachedField?, in object: FieldContext) throws -> CachedValue? { existing?.value }
}

struct AppendPage: FieldMerger {
  func merge(existing: CachedField?, incoming: CachedField, arguments: FieldPolicy.InputData) throws -> CachedValue {
    incoming.value
  }
}
