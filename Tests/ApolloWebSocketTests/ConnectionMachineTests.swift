import Apollo
import Testing

@testable import ApolloWebSocket

private let complete1 = #"send {"id":"1","type":"complete"}"#
private let data = #"{"data":{"a":1}}"#

@Suite("The state machine of graphql-transport-ws")
struct ConnectionMachineTests {
  // MARK: Opening

  @Test("An operation connects; connection_init comes first, subscribe after the acknowledgement only")
  func opening() {
    var script = MachineScript()
    #expect(script.start("1") == ["connect"])
    #expect(script.start("2") == [])
    #expect(script.open() == [#"send {"type":"connection_init"}"#])
    #expect(
      script.receive(#"{"type":"connection_ack","payload":{"x":1}}"#)
        == ["tell connected", sendSubscribe("1"), sendSubscribe("2")])
    #expect(script.start("3") == [sendSubscribe("3")])
  }

  @Test("The payload of connection_init is sent as it is, and left out where there is none")
  func payload() {
    var script = MachineScript()
    script.start("1")
    #expect(script.open(payload: #"{"token":"x"}"#) == [#"send {"type":"connection_init","payload":{"token":"x"}}"#])
  }

  @Test("Results before the acknowledgement close with 4004", arguments: ["next", "error", "complete"])
  func beforeAcknowledgement(type: String) {
    var script = MachineScript()
    script.start("1")
    script.open()
    let actions = script.receive(#"{"id":"1","type":"\#(type)","payload":{}}"#)
    #expect(actions.first == "disconnect 4004 Invalid message: the connection is not acknowledged yet")
    #expect(
      actions.last
        == "fail 1: The server sent a message that cannot be understood: the connection is not acknowledged yet.")
    #expect(script.machine.deadline == nil)
  }

  @Test("Pings are answered with their payload, before the acknowledgement as well")
  func ping() {
    var script = MachineScript()
    script.start("1")
    script.open()
    #expect(script.receive(#"{"type":"ping"}"#) == [#"send {"type":"pong"}"#, "tell ping"])
    script.receive(ack)
    #expect(
      script.receive(#"{"type":"ping","payload":{"a":[1]}}"#)
        == [#"send {"type":"pong","payload":{"a":[1]}}"#, "tell ping"])
    #expect(script.receive(#"{"type":"pong"}"#) == ["tell pong"])
  }

  @Test("An operation that is cancelled while it waits is never sent")
  func cancelledEarly() {
    var script = MachineScript()
    script.start("1")
    script.start("2")
    script.open()
    #expect(script.run(.cancel(id: "1")) == ["finish 1"])
    #expect(
      script.receive(ack) == ["tell connected", sendSubscribe("2")])
  }

  // MARK: Results

  @Test("next delivers, complete ends, and nothing is answered")
  func results() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.receive(next("1", data)) == ["deliver 1 \(data)"])
    #expect(script.receive(next("1", #"{"hasNext" : false}"#)) == [#"deliver 1 {"hasNext" : false}"#])
    #expect(script.receive(complete("1")) == ["finish 1"])
    #expect(script.run(.cancel(id: "1")) == [])
  }

  @Test(
    "A query is over with its result; the complete that follows is no news",
    arguments: [.query, .mutation] as [GraphQLOperationType])
  func query(type: GraphQLOperationType) {
    var script = MachineScript.ready()
    script.start("1", type)
    #expect(script.receive(next("1", data)) == ["deliver 1 \(data)", "finish 1"])
    #expect(script.receive(complete("1")) == [])
  }

  @Test("A query whose result comes in parts goes on until the last")
  func parts() {
    var script = MachineScript.ready()
    script.start("1", .query)
    #expect(script.receive(next("1", #"{"data":{},"hasNext":true}"#)) == [#"deliver 1 {"data":{},"hasNext":true}"#])
    #expect(script.receive(next("1", #"{"hasNext":false}"#)) == [#"deliver 1 {"hasNext":false}"#, "finish 1"])
  }

  @Test("error ends its operation with all errors, and is not answered")
  func error() {
    var script = MachineScript.ready()
    script.start("1")
    script.start("2")
    #expect(
      script.receive(#"{"id":"1","type":"error","payload":[{"message":"a"},{"message":"b"}]}"#)
        == ["fail 1: The server refused: a; b."])
    #expect(script.receive(next("2", data)) == ["deliver 2 \(data)"])
  }

  @Test(
    "An error payload of any shape fails the operation",
    arguments: [
      (#"[]"#, "it gave no reason"), (#"{"message":"m"}"#, "m"), (#""text""#, "text"), (#"null"#, "it gave no reason"),
      (#"["a",{"message":"b"}]"#, "a; b"),
    ])
  func errorPayload(payload: String, reason: String) {
    var script = MachineScript.ready()
    script.start("1")
    #expect(
      script.receive(#"{"id":"1","type":"error","payload":\#(payload)}"#) == ["fail 1: The server refused: \(reason)."])
  }

  @Test("A cancelled operation is completed once; what still comes for it is ignored")
  func cancel() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.run(.cancel(id: "1")) == [complete1, "finish 1"])
    #expect(script.run(.cancel(id: "1")) == [])
    #expect(script.receive(next("1", data)) == [])
    #expect(script.receive(complete("1")) == [])
    #expect(script.receive(#"{"id":"1","type":"error","payload":[]}"#) == [])
  }

  @Test("A next without a payload fails its operation alone")
  func noPayload() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(
      script.receive(#"{"id":"1","type":"next"}"#)
        == [complete1, "fail 1: The server sent a result without a payload."])
  }

  @Test("An id may come back as a number")
  func numericID() {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.receive(#"{"id":1,"type":"next","payload":{}}"#) == ["deliver 1 {}"])
  }

  // MARK: Messages that are none

  @Test(
    "Messages of unknown types, unknown ids and repeated acknowledgements are ignored",
    arguments: [#"{"type":"news"}"#, #"{"type":"ka"}"#, next("9", data), complete("9"), ack])
  func ignored(message: String) {
    var script = MachineScript.ready()
    script.start("1")
    #expect(script.receive(message) == [])
  }

  @Test(
    "A text that is not a message closes with 4004 and fails all operations",
    arguments: [
      ("{nope", "it is not a JSON object"), ("[]", "it is not a JSON object"), ("{}", "it has no type"),
      (#"{"type":7}"#, "it has no type"), (#"{"type":"next","payload":{}}"#, "its type is 'next' and it has no id"),
      (#"{"type":"complete","id":""}"#, "its type is 'complete' and it has no id"),
    ])
  func invalid(message: String, why: String) throws {
    var script = MachineScript.ready()
    script.start("1")
    script.start("2")
    let actions = script.receive(message)
    #expect(try #require(actions.first).hasPrefix("disconnect 4004 Invalid message: \(why)"))
    #expect(actions.suffix(2).map { String($0.prefix(7)) } == ["fail 1:", "fail 2:"])
    #expect(script.start("3") == ["connect"])
  }

  @Test("Operations that wait are logged: once for all failures in a row, and again after a connection that lasted")
  func warnings() {
    var script = MachineScript.ready()
    script.start("1")
    script.lose(1006)
    #expect(script.warnings.count == 1)
    let warning = script.warnings.first ?? ""
    #expect(warning.contains("1006") && warning.contains("the next time in "), "\(warning)")
    // The first attempts fail.
    for _ in 1...3 {
      while script.run(.timeIsUp).isEmpty { script.now += .seconds(1) }
      script.run(.lost(WebSocketError(.networkError)))
    }
    #expect(script.warnings.count == 1)
    while script.run(.timeIsUp) != ["connect"] { script.now += .seconds(1) }
    script.open()
    script.receive(ack)
    script.wait(.seconds(300))
    script.lose(1006)
    #expect(script.warnings.count == 2)
  }

  @Test("After a loss nothing of the old connection counts")
  func afterLoss() {
    var script = MachineScript.ready()
    script.start("1")
    script.lose(1006)
    #expect(script.receive(next("1", data)) == [])
    #expect(script.lose(1006) == [])
    #expect(script.run(.cancel(id: "1")) == ["finish 1"])
    #expect(script.machine.deadline == nil)
  }
}
