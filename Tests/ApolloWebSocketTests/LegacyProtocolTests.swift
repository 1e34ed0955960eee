import Apollo
import NIOWebSocket
import ScriptedWebSocketServer
import StyledTests
import Testing

@testable import ApolloWebSocket

private let start1 = #"send {"id":"1","type":"start","payload":{"query":"{a}"}}"#

@Suite("The older protocol, graphql-ws", .everyStyle, .timeLimit(.minutes(5)))
struct LegacyProtocolTests {
  @Test("start, data, complete, and stop for an operation that is cancelled")
  func operations() {
    var script = MachineScript.ready(.graphqlWS)
    #expect(script.start("1") == [start1])
    #expect(script.receive(#"{"type":"data","id":"1","payload":{"data":{}}}"#) == [#"deliver 1 {"data":{}}"#])
    #expect(script.receive(#"{"type":"complete","id":"1"}"#) == ["finish 1"])
    script.start("2")
    #expect(script.run(.cancel(id: "2")) == [#"send {"id":"2","type":"stop"}"#, "finish 2"])
  }

  @Test("The payload of an error is one error, or a list of them")
  func error() {
    var script = MachineScript.ready(.graphqlWS)
    script.start("1")
    script.start("2")
    #expect(
      script.receive(#"{"type":"error","id":"1","payload":{"message":"m"}}"#) == ["fail 1: The server refused: m."])
    #expect(
      script.receive(#"{"type":"error","id":"2","payload":[{"message":"m"}]}"#) == ["fail 2: The server refused: m."])
  }

  @Test("The errors of an error message are told, in whatever form they come", arguments: WebSocketSubprotocol.allCases)
  func errorForms(subprotocol: WebSocketSubprotocol) {
    for (payload, told) in [
      (#"[{"message":"a"},{"message":"b"}]"#, "a; b"), (#"{"message":"a"}"#, "a"), (#""a""#, "a"),
      (#"["a","b"]"#, "a; b"),
      (#"{"errors":[{"message":"a"},{"message":"b"}]}"#, "a; b"), (#"{"data":null, "errors":["a"]}"#, "a"),
      (#"{"errors":"a"}"#, "a"), (#"{"errors":{"message":"a"}}"#, "a"), ("null", "it gave no reason"),
      (#"{"errors":null}"#, "it gave no reason"),
    ] {
      var script = MachineScript.ready(subprotocol)
      script.start("1")
      #expect(
        script.receive(#"{"type":"error","id":"1","payload":\#(payload)}"#) == ["fail 1: The server refused: \(told)."])
    }
  }

  @Test("connection_error instead of an acknowledgement fails everything with its payload")
  func connectionError() {
    for payload in [#"{"message":"no token"}"#, #""no token""#, #"{"errors":[{"message":"no token","code":401}]}"#] {
      var script = MachineScript(.graphqlWS)
      script.start("1")
      script.open()
      let actions = script.receive(#"{"type":"connection_error","payload":\#(payload)}"#)
      #expect(actions.first == "disconnect 1000")
      #expect(actions.last == "fail 1: The server refused: no token.")
      #expect(script.machine.deadline == nil)
    }
  }

  @Test("connection_error later on is about a message, and the connection goes on")
  func laterConnectionError() {
    var script = MachineScript.ready(.graphqlWS)
    script.start("1")
    #expect(script.receive(#"{"type":"connection_error","payload":{"message":"m"}}"#) == [])
  }

  @Test("After a first ka, messages have to go on coming")
  func keepAlive() {
    var script = MachineScript.ready(.graphqlWS)
    script.start("1")
    #expect(script.wait(.seconds(1000)) == [])
    #expect(script.receive(#"{"type":"ka"}"#) == [])
    script.wait(.seconds(29))
    script.receive(#"{"type":"data","id":"9","payload":{}}"#)
    #expect(script.wait(.milliseconds(29_999)) == [])
    #expect(
      script.wait(.milliseconds(1)).prefix(2) == [
        #"send {"type":"connection_terminate"}"#, "disconnect 4499 No sign of life",
      ])
    #expect(script.wait(.milliseconds(500)) == ["connect"])
  }

  @Test("A ka that is late is asked for, where there are pings")
  func lateKeepAlive() {
    var script = MachineScript.ready(
      .graphqlWS, timeouts: WebSocketTimeouts(pingInterval: .seconds(1000), keepAlive: .seconds(20)))
    script.start("1")
    script.receive(#"{"type":"ka"}"#)
    #expect(script.wait(.seconds(20)) == ["send ping frame"])
    script.wait(.seconds(4))
    #expect(script.run(.answered(byServer: true)) == [])
    #expect(script.wait(.milliseconds(19_999)) == [])
    #expect(script.wait(.milliseconds(1)) == ["send ping frame"])
    #expect(script.wait(.milliseconds(4_999)) == [])
    #expect(script.wait(.milliseconds(1)).contains("disconnect 4499 No sign of life"))
  }

  @Test(
    "Over a socket that answers pings itself, a silence of twice the time ends the connection", arguments: [10, 1000])
  func untoldAnswers(pingInterval: Int) {
    var script = MachineScript.ready(
      .graphqlWS, timeouts: WebSocketTimeouts(pingInterval: .seconds(pingInterval), keepAlive: .seconds(30)))
    script.start("1")
    #expect(script.receive(#"{"type":"ka"}"#) == [])
    // It is the first ping that shows what kind of socket it is.
    let pings = pingInterval == 10 ? [10, 10, 10, 10, 10] : [30]
    for seconds in pings {
      #expect(script.wait(.seconds(seconds)) == ["send ping frame"])
      #expect(script.run(.answered(byServer: false)) == [])
    }
    #expect(script.wait(.milliseconds(60_000 - 1_000 * pings.reduce(0, +) - 1)) == [])
    #expect(script.wait(.milliseconds(1)).contains("disconnect 4499 No sign of life"))
  }

  @Test("Over a socket that answers pings itself, a server is held to the silence that it announces")
  func untoldAnnouncedSilence() {
    var script = MachineScript(.graphqlWS, timeouts: WebSocketTimeouts(pingInterval: .seconds(30)))
    script.start("1")
    script.open()
    script.receive(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":50000}}"#)
    #expect(script.wait(.seconds(30)) == ["send ping frame"])
    #expect(script.run(.answered(byServer: false)) == [])
    #expect(script.wait(.milliseconds(19_999)) == [])
    #expect(script.wait(.milliseconds(1)).contains("disconnect 4499 No sign of life"))
  }

  @Test("Over a socket that answers pings itself, a server whose ka comes each 45 seconds keeps its connection")
  func untoldSlowKeepAlive() {
    var script = MachineScript.ready(.graphqlWS, timeouts: WebSocketTimeouts())
    script.start("1")
    var pingCount = 0
    for second in 0..<300 {
      if second.isMultiple(of: 45) { #expect(script.receive(#"{"type":"ka"}"#) == []) }
      let actions = script.wait(.seconds(1))
      guard !actions.isEmpty else { continue }
      #expect(actions == ["send ping frame"])
      script.run(.answered(byServer: false))
      pingCount += 1
    }
    #expect(pingCount == 10)
  }

  @Test("A server that announces next to no silence is asked once a second")
  func shortSilence() {
    var script = MachineScript(.graphqlWS, timeouts: WebSocketTimeouts())
    script.start("1")
    script.open()
    script.receive(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":1}}"#)
    var pingCount = 0
    for _ in 1...3_000 where script.wait(.milliseconds(1)) == ["send ping frame"] {
      pingCount += 1
      script.run(.answered(byServer: true))
    }
    #expect(pingCount == 3)
  }

  @Test("A server whose ka comes each minute keeps its connection, with all defaults")
  func slowKeepAlive() {
    var script = MachineScript.ready(.graphqlWS, timeouts: WebSocketTimeouts())
    script.start("1")
    // The first `ka` follows the acknowledgement, so that it is due while the answer to the first ping is under way.
    script.wait(.milliseconds(2))
    for _ in 1...3 {
      #expect(script.receive(#"{"type":"ka"}"#) == [])
      for _ in 1...2 {
        #expect(script.wait(.seconds(30)) == ["send ping frame"])
        #expect(script.wait(.milliseconds(50)) == [])
        #expect(script.run(.answered(byServer: true)) == [])
      }
    }
  }

  @Test("The protocol has no ping: a frame of the WebSocket protocol asks for a sign of life")
  func ping() {
    var script = MachineScript.ready(.graphqlWS, timeouts: WebSocketTimeouts())
    script.start("1")
    #expect(script.wait(.seconds(30)) == ["send ping frame"])
    script.wait(.seconds(4))
    #expect(script.run(.answered(byServer: true)) == [])
    #expect(script.wait(.seconds(30)) == ["send ping frame"])
    #expect(script.wait(.seconds(5)).contains("disconnect 4499 No sign of life"))
    #expect(script.run(.answered(byServer: true)) == [])
  }

  @Test("A server that answers ping frames stays; one that no longer does is gone", .asWritten)
  func pingFrames() async throws {
    try await ScriptedWebSocketServer.with { connection in
      try await connection.acknowledge()
      try await connection.subscription()
      for _ in 1...3 {
        try await connection.answerPing()
      }
      // A pong that answers an earlier ping, or none, is not an answer.
      try await connection.receivePing()
      connection.send(.pong)
      connection.send(.pong, [1, 2, 3])
      try await connection.expect(.text(#"{"type":"connection_terminate"}"#))
      try await connection.expect(.close(4499, "No sign of life"))
    } _: { server in
      let transport = try WebSocketTransport(server, reconnection: .never) {
        $0.subprotocols = [.graphqlWS]
        $0.timeouts.pingInterval = .milliseconds(30)
        $0.timeouts.pong = .seconds(2)
      }
      let error = try await transport.failure(of: ReviewAdded())
      #expect(error.kind == .closed(code: .terminated, reason: ""))
    }
  }

  @Test("A server that announces its longest silence is held to it (AWS AppSync)")
  func announcedSilence() {
    var script = MachineScript(.graphqlWS)
    script.start("1")
    script.open()
    script.receive(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":300000}}"#)
    #expect(script.receive(#"{"type":"start_ack","id":"1"}"#) == [])
    script.wait(.seconds(299))
    #expect(script.receive(#"{"type":"ka"}"#) == [])
    #expect(script.wait(.seconds(299)) == [])
    #expect(script.wait(.seconds(1)).contains("disconnect 4499 No sign of life"))
  }

  @Test("A silence that is announced as none, or below, is none", arguments: ["0", "-1", "1.5", "null", "[]"])
  func noSilence(_ time: String) {
    var script = MachineScript(.graphqlWS)
    script.start("1")
    script.open()
    script.receive(#"{"type":"connection_ack","payload":{"connectionTimeoutMs":\#(time)}}"#)
    #expect(script.wait(.seconds(100)) == [])
  }

  @Test("An error about no operation refuses the connection, and later on is about a message (AWS AppSync)")
  func generalError() {
    for id in ["", #""id":null,"#] { generalError(id) }
  }

  private func generalError(_ id: String) {
    let message = "{\(id)" + #""type":"error","payload":{"message":"no key"}}"#
    var script = MachineScript(.graphqlWS)
    script.start("1")
    script.open()
    #expect(script.receive(message).last == "fail 1: The server refused: no key.")
    script = .ready(.graphqlWS)
    script.start("1")
    #expect(script.receive(message) == [])
  }

  @Test("A ka may come before the acknowledgement")
  func earlyKeepAlive() {
    var script = MachineScript(.graphqlWS)
    script.start("1")
    script.open()
    #expect(script.receive(#"{"type":"ka"}"#) == [])
    #expect(script.receive(ack) == ["tell connected", start1])
    #expect(script.machine.deadline == script.now + .seconds(30))
  }

  @Test("A message of the other protocol means nothing")
  func noPing() {
    var script = MachineScript.ready(.graphqlWS)
    script.start("1")
    #expect(script.receive(#"{"type":"ping"}"#) == [])
  }

  @Test("connection_terminate comes before the close")
  func terminate() {
    var script = MachineScript.ready(.graphqlWS)
    #expect(
      script.run(.close) == [#"send {"type":"connection_terminate"}"#, "disconnect 1000", "tell disconnected"])
  }

  @Test("The server chooses of several protocols", arguments: [WebSocketSubprotocol.graphqlWS, .graphqlTransportWS])
  func negotiation(chosen: WebSocketSubprotocol) async throws {
    try await ScriptedWebSocketServer.with(handshakes: [.choose(chosen.rawValue)]) { connection in
      #expect(connection.headers["sec-websocket-protocol"] == "graphql-transport-ws, graphql-ws")
      try await connection.acknowledge()
      guard case .text(let text) = try await connection.receive() else { throw ScriptFailure("no text") }
      let types = chosen == .graphqlWS ? ("start", "data") : ("subscribe", "next")
      #expect(text.contains(#""type":"\#(types.0)""#))
      connection.send(#"{"type":"\#(types.1)","id":"1","payload":\#(review(3))}"#)
      connection.send(complete("1"))
    } _: { server in
      let transport = try WebSocketTransport(server) { $0.subprotocols = [.graphqlTransportWS, .graphqlWS] }
      let results = try await transport.all(ReviewAdded())
      #expect(results.map { $0.data?.reviewAdded?.stars } == [3])
    }
  }
}
