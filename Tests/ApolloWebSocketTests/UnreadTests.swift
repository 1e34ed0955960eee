import Apollo
import Testing

@testable import ApolloWebSocket

@Suite("A server that does not read, as the machine sees it")
struct UnreadTests {
  private static let ping = #"{"type":"ping"}"#

  private func script(unreadBytes: Int, pingInterval: Duration? = nil) -> MachineScript {
    .ready(
      timeouts: WebSocketTimeouts(pingInterval: pingInterval), limits: WebSocketLimits(unreadBytes: unreadBytes))
  }

  @Test("Of many pings, one is answered, and the latest once the network has taken the first answer")
  func pings() {
    var script = script(unreadBytes: 1000)
    script.readsNothing = true
    #expect(script.receive(#"{"type":"ping","payload":{"n":0}}"#).contains(#"send {"type":"pong","payload":{"n":0}}"#))
    for number in 1...1000 {
      #expect(script.receive(#"{"type":"ping","payload":{"n":\#(number)}}"#) == ["tell ping"])
    }
    #expect(script.takeAll() == [#"send {"type":"pong","payload":{"n":1000}}"#])
    #expect(script.takeAll() == [])
  }

  @Test("What an idle connection has not sent holds up nothing on the next one")
  func idle() {
    var script = MachineScript.ready(timeouts: WebSocketTimeouts(idle: .seconds(10), pingInterval: nil))
    script.readsNothing = true
    #expect(script.receive(Self.ping) == [#"send {"type":"pong"}"#, "tell ping"])
    #expect(script.wait(.seconds(10)) == ["disconnect 1000", "tell disconnected"])
    script.readsNothing = false
    #expect(script.start("1") == ["connect"])
    script.open()
    script.receive(ack)
    #expect(script.receive(Self.ping) == [#"send {"type":"pong"}"#, "tell ping"])
  }

  @Test("A ping whose answer alone is too much ends the connection")
  func largePing() {
    var script = script(unreadBytes: 1000)
    let payload = String(repeating: "a", count: 1000)
    let actions = script.receive(#"{"type":"ping","payload":{"n":"\#(payload)"}}"#)
    #expect(actions.contains("disconnect 1008 More than 1000 bytes are unread"))
  }

  @Test("Operations wait for room, in their order, and a large one is sent by itself")
  func operations() {
    var script = script(unreadBytes: 200)
    script.takeAll()
    script.readsNothing = true
    #expect(script.start("1", text: String(repeating: "a", count: 5000)).count == 1)
    #expect(script.start("2") == [])
    #expect(script.start("3") == [])
    #expect(script.start("4") == [])
    #expect(script.run(.cancel(id: "3")) == ["finish 3"])
    #expect(script.takeAll() == [sendSubscribe("2"), sendSubscribe("4")])
    #expect(script.states.suffix(2) == ["2 active", "4 active"])
  }

  @Test("What the app ends is bounded as well: the connection ends with an error that names the limit")
  func ends() {
    var script = script(unreadBytes: 1000)
    for number in 1...100 { script.start("\(number)") }
    script.takeAll()
    script.readsNothing = true
    script.start("last")
    var sent = 0
    for number in 1...100 {
      let actions = script.run(.cancel(id: "\(number)"))
      guard actions.contains("disconnect 1008 More than 1000 bytes are unread") else {
        sent += 1
        continue
      }
      #expect(actions.contains { $0.hasPrefix("fail last: The server does not read: more than 1000 bytes wait") })
      break
    }
    #expect((5..<20).contains(sent))
  }

  @Test("Operations that wait from one ping to the next, while nothing is read, end with the connection")
  func starved() {
    var script = script(unreadBytes: 100, pingInterval: .seconds(30))
    script.takeAll()
    script.readsNothing = true
    script.start("1")
    script.start("2")
    #expect(script.wait(.seconds(30)) == [#"send {"type":"ping"}"#])
    script.receive(#"{"type":"pong"}"#)
    // The one that was sent first is read, and so the others are given more time.
    #expect(script.takeAll() == [sendSubscribe("2")])
    script.start("3")
    #expect(script.wait(.seconds(30)) == [#"send {"type":"ping"}"#])
    script.receive(#"{"type":"pong"}"#)
    let actions = script.wait(.seconds(30))
    #expect(actions.first == "disconnect 1008 More than 100 bytes are unread")
    #expect(actions.filter { $0.hasPrefix("fail ") }.count == 3)
  }

  @Test("The next connection begins with nothing unread")
  func reconnection() {
    var script = script(unreadBytes: 200)
    script.readsNothing = true
    script.start("1", text: String(repeating: "a", count: 5000))
    script.start("2")
    script.lose(1006)
    script.wait(.seconds(1))
    script.open()
    script.readsNothing = false
    script.receive(ack)
    #expect(script.takeAll() == [])
    #expect(script.states.suffix(2) == ["1 active", "2 active"])
  }
}
