@testable import Apollo
@testable import ApolloAPI
import ScriptedServer
import Waiting

/// A server that keeps a log, and notices what a client must not do.
final class EntryServer: Sendable {
  private struct State {
    var entries: [String] = []
    var keys: [String: String] = [:]
    var problems: [String] = []
    var count = 0
  }

  private let state = Locked(State())
  private let losesAnswers: Bool

  init(losesAnswers: Bool = false) { self.losesAnswers = losesAnswers }

  /// What was done, in its order.
  var entries: [String] { state.withLock { $0.entries } }
  var problems: [String] { state.withLock { $0.problems } }

  @Sendable func handle(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
    let object = (try? ResponseReader.jsonValue(ResponseBytes(request.body.utf8))) as? JSONObject
    let text = (object?["variables"] as? JSONObject)?["text"] as? String ?? ""
    let key = (object?["extensions"] as? JSONObject)?["idempotencyKey"] as? String ?? ""
    return state.withLock { state -> [ScriptedServer.Step] in
      state.count += 1
      if key.isEmpty || request.headers["idempotency-key"] != key { state.problems.append("no key for \(text)") }
      if let known = state.keys[key] {
        if known != text { state.problems.append("\(key) stands for \(known) and \(text)") }
      } else {
        state.keys[key] = text
        state.entries.append(text)
      }
      // Every third answer gets lost, and every fifth comes late.
      if losesAnswers, state.count % 3 == 0 { return [.close] }
      let answer = ScriptedServer.Step.respond(#"{"data":{"addEntry":"id of \#(text.prefix(20))"}}"#)
      return state.count % 5 == 0 ? [.pause(milliseconds: 20), answer] : [answer]
    }
  }
}
